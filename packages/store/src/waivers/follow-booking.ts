import type { Booking } from '@waiver-service/core';
import {
  type Actor,
  type BookingKey,
  draftFollowing,
  type FollowingChange,
  type FollowingWaiver,
  followBooking,
  planChange,
  type VisitSession,
} from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { bookingValue, guestsFirst, idsOfBooking } from '../database/booking-ids.ts';
import type { DatabaseTransaction } from '../database/tables.ts';
import { type PoolReading, readRecipients } from './read-recipients.ts';
import { followedHash, responseJson } from './stored-response.ts';
import { noteUnmatched } from './unmatched-waivers.ts';
import { recordOf, type WaiverRow, waiverColumns } from './waiver-columns.ts';
import { batchesOf, updateWaivers } from './write-waivers.ts';

const maxWaiversOfBooking = 1_000;

type FollowedSource = Pick<Booking, 'bookedSessions' | 'guests'> & { readonly hash: string };

/** The waivers `w` of a booking, under any of its ids, that are neither voided nor erased. */
function isOfBooking(booking: BookingKey): RawBuilder<boolean> {
  const { pool, bookingSystem } = booking;
  return sql`w.pool = ${pool} and w.booking_id = any (array(${idsOfBooking(bookingValue(booking))}))
    and w.booking_system = ${bookingSystem} and not w.deleted and w.erasure is null`;
}

/** The current stored response, and the hash that shows whether it was followed. */
async function readSource(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, bookingId }: BookingKey,
): Promise<FollowedSource | undefined> {
  const { rows } = await sql<FollowedSource>`
select ${followedHash(sql`j.response`)}::text as hash, j.response #> '{booking,bookedSessions}' as booked_sessions,
  j.response #> '{booking,guests}' as guests
from cached_booking, lateral (select ${responseJson(sql`fetched`)} as response offset 0) j
where pool = ${pool} and booking_system = ${bookingSystem} and booking_id = ${bookingId}`.execute(
    transaction,
  );
  return rows[0];
}

/** Changes locked waivers, with the messages of each change. */
async function applyChanges(
  transaction: DatabaseTransaction,
  pool: string,
  changes: readonly FollowingChange[],
  context: PoolReading & { readonly sessions: readonly VisitSession[]; readonly by: Actor },
): Promise<void> {
  const changeOf = new Map(changes.map((change) => [change.id, change]));
  const { rows } = await sql<WaiverRow>`
select ${waiverColumns} from waiver w where w.pool = ${pool} and w.id = any (${[...changeOf.keys()]}::text[])
order by w.id`.execute(transaction);
  const plans = rows.map(recordOf).flatMap((former) => {
    const change = changeOf.get(former.id);
    return change ? planChange(draftFollowing(former, change), { ...context, staysInBooking: true }) : [];
  });
  await updateWaivers(transaction, plans);
}

/**
 * Changes the waivers of a booking to follow its stored response. Each is a stored change, with its version and
 * messages. Lists as unmatched those whose guest is gone and cannot be matched, and removes the others from that list.
 *
 * @returns the ids of the changed waivers.
 */
export async function followStoredBooking(
  transaction: DatabaseTransaction,
  booking: BookingKey,
): Promise<readonly string[]> {
  const { pool, bookingSystem, bookingId } = booking;
  const by = { id: `booking-system:${bookingSystem}`, name: null };
  // Locks all rows before any lane, in the same order as every other change.
  const { rows: waivers } = await sql<FollowingWaiver & { readonly bytes: number }>`
select w.id, w.booking_guest_id, w.activities, w.last_visit,
  w.last_visit_source, w.created_at, w.answers::json ->> 'name' as name,
  w.answers::json ->> 'email' as email, octet_length(w.answers) as bytes, (
    select count(*)::integer from waiver_version v
    where v.pool = w.pool and v.waiver_id = w.id and v.actor = ${by.id} and v.at > now() - interval '1 day') as followed
from waiver w where ${isOfBooking(booking)} and w.id = any (array(
  select w.id from waiver w where ${isOfBooking(booking)} order by ${guestsFirst('w')}, w.id limit ${maxWaiversOfBooking}))
order by w.id for update`.execute(transaction);
  // Read after locking, so that the second of two transactions sees the newer response.
  const source = await readSource(transaction, booking);
  const reading = (await readRecipients(transaction, [pool])).get(pool);
  if (source === undefined || reading === undefined) return [];
  const { bookedSessions: sessions, guests, hash } = source;
  const { changes, unmatched, isPostponed } = followBooking(waivers, { sessions, guests });
  const bytesOf = new Map(waivers.map(({ id, bytes }) => [id, bytes]));
  for (const batch of batchesOf(changes, ({ id }) => bytesOf.get(id) ?? 0)) {
    await applyChanges(transaction, pool, batch, { ...reading, sessions, by });
  }
  await noteUnmatched(transaction, booking, 'guest_gone', unmatched);
  await sql`
update cached_booking set followed = ${isPostponed ? null : hash}::bigint
where pool = ${pool} and booking_system = ${bookingSystem} and booking_id = ${bookingId}`.execute(
    transaction,
  );
  return changes.map(({ id }) => id);
}
