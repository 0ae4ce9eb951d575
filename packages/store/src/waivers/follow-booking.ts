import type { UnmatchedWaiver } from '@waiver-service/api';
import type { Booking } from '@waiver-service/core';
import {
  decodeCursor,
  decodeTime,
  type Page,
  type PageRequest,
  pageOf,
  retryDeadlock,
} from '@waiver-service/database';
import {
  type Actor,
  type BookingGuest,
  type BookingKey,
  draftFollowing,
  type FollowingChange,
  type FollowingWaiver,
  followBooking,
  planChange,
  proposeGuests,
  type VisitSession,
} from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { bookingValue, guestsFirst, idsOfBooking, ownBookingId } from '../database/booking-ids.ts';
import { notify } from '../database/notifications.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { followedHash, type PoolReading, readRecipients, responseJson } from './readings.ts';
import { recordOf, type WaiverRow, waiverColumns } from './waiver-rows.ts';
import { batchesOf, updateWaivers } from './write-waivers.ts';

/*
 * A waiver whose guest, or whose booking, is gone from the booking system is listed for a person:
 *
 *   (not listed) ── its guest is gone, and it is not clear who it is now ──▶ guest_gone
 *                ── its booking is gone ──▶ booking_gone
 *   listed ── the booking names its guest again, a person moves or voids it ──▶ (not listed)
 *          ── a person leaves it as it is ──▶ dismissed, until its booking or its guest changes
 */

/** Why a waiver is listed. */
export type UnmatchedReason = UnmatchedWaiver['reason'];

/** Waivers whose guest or booking is gone. */
export interface UnmatchedWaivers extends ReturnType<typeof createUnmatchedWaivers> {}

const maxProposals = 20;
const maxGuestsBytes = 256 * 1024;

/** Lists these waivers of a booking, and no others. A dismissed one stays dismissed while nothing changes. */
async function noteUnmatched(
  database: Database,
  { pool, bookingSystem, bookingId }: BookingKey,
  reason: UnmatchedReason,
  waiverIds: readonly string[],
): Promise<void> {
  const ids = [...waiverIds];
  await database
    .deleteFrom('unmatchedWaiver')
    .where('pool', '=', pool)
    .where('bookingSystem', '=', bookingSystem)
    .where('bookingId', '=', bookingId)
    .where(sql<boolean>`not waiver_id = any (${ids}::text[])`)
    .execute();
  if (ids.length === 0) return;
  await sql`
insert into unmatched_waiver as u (waiver_id, pool, booking_system, booking_id, booking_guest_id, reason)
select w.id, w.pool, ${bookingSystem}, ${bookingId}, w.booking_guest_id, ${reason}
from waiver w where w.pool = ${pool} and w.id = any (${ids}::text[]) and w.erasure is null order by w.id
on conflict (waiver_id) do update set booking_system = excluded.booking_system, booking_id = excluded.booking_id,
  booking_guest_id = excluded.booking_guest_id, reason = excluded.reason, noted_at = now(), dismissed = false
where (u.booking_system, u.booking_id, u.booking_guest_id, u.reason)
  is distinct from (excluded.booking_system, excluded.booking_id, excluded.booking_guest_id, excluded.reason)`.execute(
    database,
  );
}

interface UnmatchedRow extends Omit<UnmatchedWaiver, 'proposals'> {
  readonly email: string | null;
  readonly guests: readonly BookingGuest[];
  /** The guests' ids that other waivers of the booking name. */
  readonly taken: readonly string[];
}

// The waiver may have been moved, voided or erased since.
const stillApplies = sql`w.pool = u.pool and w.id = u.waiver_id and not w.deleted and w.erasure is null
  and w.booking_system = u.booking_system and w.booking_guest_id is not distinct from u.booking_guest_id
  and ${ownBookingId({
    pool: sql`w.pool`,
    bookingSystem: sql`w.booking_system`,
    bookingId: sql`w.booking_id`,
  })} = u.booking_id`;

// A guest list beyond the limit is left out.
const guestsOfBooking = sql`
select case when octet_length(g::text) <= ${maxGuestsBytes} then g else '[]' end as guests
from cached_booking b, lateral (
  select ${responseJson(sql`b.fetched`)} #> '{booking,guests}' offset 0) j (g)
where b.pool = u.pool and b.booking_system = u.booking_system and b.booking_id = u.booking_id and u.reason = 'guest_gone'`;

const idsWithWaiver = sql`
select array_agg(o.booking_guest_id) as ids from waiver o
where o.pool = u.pool and o.booking_id = w.booking_id and o.booking_system = u.booking_system and not o.deleted
  and o.booking_guest_id is not null`;

/** The guests of the booking without a waiver, likeliest first. */
function proposalsOf({ name, email, guests, taken }: UnmatchedRow): UnmatchedWaiver['proposals'] {
  const named = new Set(taken);
  const free = guests.flatMap(({ id, name, email }) =>
    id === undefined || named.has(id) ? [] : { id, name, email },
  );
  return proposeGuests({ name, email }, free)
    .slice(0, maxProposals)
    .map(({ id, ...guest }) => ({ bookingGuestId: id, ...guest }));
}

/** Creates the list of waivers whose guest or booking is gone. */
export function createUnmatchedWaivers(database: Database) {
  return {
    /** Longest listed first. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<UnmatchedWaiver>> {
      const [time, id = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
      const after =
        time === undefined ? sql`true` : sql`(u.noted_at, u.waiver_id) > (${decodeTime(time)}, ${id})`;
      const { rows } = await sql<UnmatchedRow>`
select u.waiver_id, w.answers::json ->> 'name' as name, w.answers::json ->> 'email' as email,
  u.booking_system, u.booking_id, u.booking_guest_id, u.reason,
  u.noted_at as since, coalesce(g.guests, '[]') as guests, coalesce(t.ids, '{}') as taken
from unmatched_waiver u join waiver w on ${stillApplies} left join lateral (${guestsOfBooking}) g on true
cross join lateral (${idsWithWaiver}) t
where u.pool = ${pool} and not u.dismissed and ${after}
order by u.noted_at, u.waiver_id limit ${limit + 1}`.execute(database);
      return pageOf(
        rows,
        limit,
        ({ since, waiverId }) => [since.toISOString(), waiverId],
        ({ email, guests, taken, ...waiver }) => ({
          ...waiver,
          proposals: proposalsOf({ ...waiver, email, guests, taken }),
        }),
      );
    },
    /** Why a waiver is listed, even if dismissed; undefined if it is not listed. */
    async reasonFor(pool: string, waiverId: string): Promise<UnmatchedReason | undefined> {
      const { rows } = await sql<Pick<UnmatchedWaiver, 'reason'>>`
select u.reason from unmatched_waiver u join waiver w on ${stillApplies}
where u.pool = ${pool} and u.waiver_id = ${waiverId}`.execute(database);
      return rows[0]?.reason;
    },
    /** Leaves a waiver as it is. @returns false if it is not listed */
    async dismiss(pool: string, waiverId: string): Promise<boolean> {
      const { rows } = await sql`
update unmatched_waiver set dismissed = true
where pool = ${pool} and waiver_id = ${waiverId} and not dismissed returning 1`.execute(database);
      return rows.length > 0;
    },
    /** Lists the waivers of a booking that its booking system no longer knows, unless the visit was over a day ago. */
    noteGone: (booking: BookingKey): Promise<void> =>
      retryDeadlock(() =>
        database.transaction().execute(async (transaction) => {
          const { pool, bookingSystem, bookingId } = booking;
          // A visit is noted by its start; a session of several days goes on.
          // Locked first, as in everything else that lists them or follows the booking.
          const { rows } = await sql<{ id: string }>`
select w.id from waiver w where ${isOfBooking(booking)}
  and (w.last_visit > now() - interval '1 day' or exists (
    select from upcoming_booking p where p.pool = ${pool} and p.booking_system = ${bookingSystem}
      and p.booking_id = ${bookingId} and p.last_starts_at > now() - interval '1 day' and p.first_starts_at <= w.last_visit))
order by w.id for update`.execute(transaction);
          if (rows.length === 0) return;
          // The same response must be followed again if the booking comes back.
          await transaction
            .updateTable('cachedBooking')
            .set({ followed: null })
            .where('pool', '=', pool)
            .where('bookingSystem', '=', bookingSystem)
            .where('bookingId', '=', bookingId)
            .execute();
          await noteUnmatched(
            transaction,
            booking,
            'booking_gone',
            rows.map(({ id }) => id),
          );
          await notify(transaction, 'removed_bookings', pool);
        }),
      ),
  };
}

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
