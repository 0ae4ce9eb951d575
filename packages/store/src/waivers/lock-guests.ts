import { type BookingKey, bookingOf } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import type { DatabaseTransaction } from '../database/tables.ts';

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
  select distinct hashtextextended(json_build_array('guest', g.pool, g.booking_system, i.id, g.guest)::text, 0) as key
  from unnest(${guests.map(({ pool }) => pool)}::text[], ${guests.map(({ bookingSystem }) => bookingSystem)}::text[],
    ${guests.map(({ bookingId }) => bookingId)}::text[],
    ${guests.map(({ bookingGuestId }) => bookingGuestId)}::text[]) g (pool, booking_system, booking_id, guest)
  cross join lateral (${idsOfBooking(referenceOf('g'))}) i
  order by key offset 0) k`.execute(transaction);
}
