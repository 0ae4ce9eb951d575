import { type BackgroundJob, periodicJob, prepared, retryDeadlock, rowsOf } from '@waiver-service/database';
import { cancelMessages } from '@waiver-service/outbox';
import { type BookingKey, bookingOf } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { bookingTypes, idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';

/** Marks stored waivers as signed by a signing: their later changes are events of it. */
export async function markSigned(
  transaction: DatabaseTransaction,
  pool: string,
  ids: readonly string[],
  signing: string,
): Promise<void> {
  await sql`${prepared}
update waiver w set signing = ${signing} where w.pool = ${pool} and w.id = any (${[...ids]}::text[])`.execute(
    transaction,
  );
}

/** A guest of a booking. */
type BookedGuest = BookingKey & { readonly bookingGuestId: string };

/**
 * Locks guests of bookings until the transaction ends, under every known id of the booking. Whoever then reads the
 * waivers of the booking sees what others have signed for these guests, and nobody signs for them meanwhile. Other
 * guests of the booking are not locked.
 *
 * Lock order of a signing: the id of the signing (`lockSigning`), its row, its guests, waivers, and then as in `enqueue`.
 * The guests are locked together, in the order of their keys, because two families may overlap.
 */
export async function lockGuests(
  transaction: DatabaseTransaction,
  waivers: readonly (Parameters<typeof bookingOf>[0] & {
    readonly bookingGuestId?: string | null | undefined;
  })[],
): Promise<void> {
  const guests = waivers.flatMap((waiver): BookedGuest[] => {
    const booking = bookingOf(waiver);
    const { bookingGuestId } = waiver;
    return booking && bookingGuestId ? [{ ...booking, bookingGuestId }] : [];
  });
  if (guests.length === 0) return;
  await sql`
select pg_advisory_xact_lock(k.key) from (
  select distinct hashtextextended(json_build_array('guest', g.pool, g.booking_system, i.id, g.booking_guest_id)::text, 0) as key
  from ${rowsOf(guests, 'g', { ...bookingTypes, bookingGuestId: 'text' })}
  cross join lateral (${idsOfBooking(referenceOf('g'))}) i
  order by key offset 0) k`.execute(transaction);
}

const maxBatchSize = 50;

/**
 * The job that marks what guests have begun on hosts of an earlier version, which told the booking systems. Messages that
 * still wait to do so are cancelled.
 */
export function createMarkBegunJob(database: Database, intervalMs: number): BackgroundJob {
  return periodicJob({
    name: 'marking begun waivers',
    intervalMs,
    runBatch: () =>
      retryDeadlock(() =>
        database.transaction().execute(async (transaction) => {
          const { rows } = await sql<{ pool: string; id: string }>`
with due as materialized (
  select w.pool, w.id from waiver w
  where not w.deleted and w.current_page is not null and w.signing is null and w.erasure is null
    and case w.begun when 'told' then false
      when 'untold' then exists (
        select from delivery d where d.pool = w.pool and d.waiver_id = w.id and d.kind = 'guest-update'
          and not d.takeback and d.booking_id = w.booking_id)
      else exists (
        select from waiver_version v where v.pool = w.pool and v.waiver_id = w.id and v.version = 1
          and v.actor like 'check-in-link:%') end
  limit ${maxBatchSize}::integer for no key update of w skip locked)
update waiver w set begun = 'told' from due d where w.pool = d.pool and w.id = d.id
returning w.pool, w.id`.execute(transaction);
          if (rows.length === 0) return false;
          await cancelMessages(
            transaction,
            sql`select d.destination, d.id, d.pool from
${rowsOf(rows, 'w', { pool: 'text', id: 'text' })}
join delivery d on d.pool = w.pool and d.waiver_id = w.id and d.kind = 'guest-update' and not d.takeback`,
          );
          return rows.length === maxBatchSize;
        }),
      ),
  });
}
