import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import { notify } from '../database/notifications.ts';
import type { DatabaseTransaction } from '../database/tables.ts';

/**
 * Deletes a pool's stored booking responses that contain one of the e-mail addresses. One that contains it by chance,
 * inside a longer address, is deleted, too: it is only a copy.
 */
export async function eraseBookingsNaming(
  transaction: DatabaseTransaction,
  pool: string,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return;
  // As escaped in JSON.
  const texts = emails.map((email) => JSON.stringify(email).slice(1, -1));
  await sql`
delete from cached_booking b where b.pool = ${pool} and exists (
  select from unnest(${texts}::text[]) t (email) where position(lower(t.email) in lower(b.fetched)) > 0)`.execute(
    transaction,
  );
  await notify(transaction, 'removed_bookings', pool);
}

/** Deletes bookings' stored responses, and makes their aliases due for pruning, which keeps those still needed. */
export async function eraseBookings(
  transaction: DatabaseTransaction,
  bookings: readonly BookingKey[],
): Promise<void> {
  if (bookings.length === 0) return;
  await sql`
with named as materialized (
  select distinct b.pool, b.booking_system, i.id
  from unnest(${bookings.map(({ pool }) => pool)}::text[],
    ${bookings.map(({ bookingSystem }) => bookingSystem)}::text[],
    ${bookings.map(({ bookingId }) => bookingId)}::text[]) b (pool, booking_system, booking_id)
  cross join lateral (${idsOfBooking(referenceOf('b'))}) i),
gone as (
  delete from cached_booking c using named n
  where c.pool = n.pool and c.booking_system = n.booking_system and c.booking_id = n.id)
update booking_alias a set prune_at = now() from named n
where a.pool = n.pool and a.booking_system = n.booking_system and a.alias = n.id`.execute(transaction);
  for (const pool of new Set(bookings.map(({ pool }) => pool)))
    await notify(transaction, 'removed_bookings', pool);
}
