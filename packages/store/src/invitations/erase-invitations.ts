import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import type { DatabaseTransaction } from '../database/database.ts';
import type { StoreContext } from '../store-context.ts';

/** Whose messages end. */
export interface ErasedGuest {
  readonly emails: readonly string[];
  /** The guests of bookings whose records are erased. */
  readonly guests: readonly (BookingKey & { readonly bookingGuestId: string })[];
}

/** The keyed hash of a guest's id in a booking. */
export const hashOfGuest = (
  hashEmail: StoreContext['hashEmail'],
  pool: string,
  bookingGuestId: string,
): Buffer | undefined => hashEmail(pool, `guest ${bookingGuestId}`);

/** Kept at least for so long, and then until the booking is over. */
const blockedFor = sql`interval '30 days'`;

/**
 * Erases the messages to a guest, and has the guest's bookings, when they are read again, send nothing more to them. A
 * waiting message finds itself gone. An unsubscription stays without its address.
 *
 * Call it before the stored bookings that name the guest are deleted.
 */
export async function eraseInvitations(
  transaction: DatabaseTransaction,
  { hashEmail }: Pick<StoreContext, 'hashEmail'>,
  pool: string,
  { emails, guests }: ErasedGuest,
): Promise<void> {
  const blocked = guests.flatMap((guest) => {
    const hash = hashOfGuest(hashEmail, pool, guest.bookingGuestId);
    return hash === undefined ? [] : [{ ...guest, hash }];
  });
  if (blocked.length > 0) {
    await sql`
insert into invitation_block (pool, booking_system, booking_id, guest, prune_at)
select b.pool, b.booking_system, i.id, b.guest, now() + ${blockedFor}
from unnest(${blocked.map((guest) => guest.pool)}::text[], ${blocked.map(({ bookingSystem }) => bookingSystem)}::text[],
  ${blocked.map(({ bookingId }) => bookingId)}::text[], ${blocked.map(({ hash }) => hash)}::bytea[])
  b (pool, booking_system, booking_id, guest)
cross join lateral (${idsOfBooking(referenceOf('b'))}) i
on conflict do nothing`.execute(transaction);
  }
  for (const email of emails) {
    const address = hashEmail(pool, email);
    if (address === undefined) continue;
    // As JSON writes it.
    const text = JSON.stringify(email.trim()).slice(1, -1);
    await sql`
insert into invitation_block (pool, booking_system, booking_id, guest, prune_at)
select ${pool}, b.booking_system, b.booking_id, ${address}, now() + ${blockedFor} from (
  select booking_system, booking_id from invitation where pool = ${pool} and address = ${address}
  union select booking_system, booking_id from cached_booking
  where pool = ${pool} and position(lower(${text}) in lower(fetched)) > 0) b
on conflict do nothing`.execute(transaction);
    await sql`delete from invitation where pool = ${pool} and address = ${address}`.execute(transaction);
    await sql`
delete from invitation_refusal where pool = ${pool} and address = ${address} and reason = 'refused'`.execute(
      transaction,
    );
    await sql`
update invitation_refusal set address_encrypted = null, reply = null
where pool = ${pool} and address = ${address}`.execute(transaction);
  }
}
