import { milliseconds, rowsOf } from '@waiver-service/database';
import { eraseCopyMails, eraseMailBudgets, exportCopyMails } from '@waiver-service/signing/data';
import {
  bookingTypes,
  type DatabaseTransaction,
  type ErasedGuest,
  type FeatureData,
  idsOfBooking,
  referenceOf,
  type StoreContext,
} from '@waiver-service/store/features';
import { sql } from 'kysely';
import { encryptedColumns, migrations, type OwnTables } from './tables.ts';

/** More would mean that the limits on messages failed. */
const maxExported = 10_000;

/** Reads the messages to addresses of a guest, by their keyed hashes, and the refusals of further ones. */
async function exportMessages(
  { database }: Pick<StoreContext, 'database'>,
  pool: string,
  hashes: readonly Buffer[],
) {
  const isOfGuest = sql<boolean>`address = any (${[...hashes]}::bytea[])`;
  const sent = await database
    .withTables<OwnTables>()
    .selectFrom('invitation')
    .select(['id', 'bookingSystem', 'bookingId', 'occasion', 'state', 'reason', 'createdAt', 'endedAt'])
    .where('pool', '=', pool)
    .where(isOfGuest)
    .orderBy('id')
    .limit(maxExported)
    .execute();
  const copies = await exportCopyMails(database, pool, hashes, maxExported);
  const refused = await database
    .withTables<OwnTables>()
    .selectFrom('invitationRefusal')
    .select(['reason', 'reply', 'at'])
    .where('pool', '=', pool)
    .where(isOfGuest)
    .execute();
  return { invitations: { sent, copies, refused } };
}

/** The keyed hash of a guest's id in a booking. */
export const hashOfGuest = (
  hashEmail: StoreContext['hashEmail'],
  pool: string,
  bookingGuestId: string,
): Buffer | undefined => hashEmail(pool, `guest ${bookingGuestId}`);

/** The minimum; a block is kept until its booking is over. */
const blockedFor = sql`interval '30 days'`;

const asInJson = (email: string) => JSON.stringify(email.trim()).slice(1, -1);

async function blockBookings(
  transaction: DatabaseTransaction,
  hashEmail: StoreContext['hashEmail'],
  erased: ErasedGuest['bookings'],
): Promise<void> {
  // Once for each hash by which the guest may be found in the booking.
  const bookings = erased.flatMap(({ addresses, bookingGuestId, ...booking }) => {
    const byId = bookingGuestId === null ? undefined : hashOfGuest(hashEmail, booking.pool, bookingGuestId);
    return [...addresses, ...(byId ? [byId] : [])].map((guest) => ({
      ...booking,
      guest: guest.toString('hex'),
    }));
  });
  if (bookings.length === 0) return;
  await sql`
insert into invitation_block (pool, booking_system, booking_id, guest, prune_at)
select b.pool, b.booking_system, i.id, decode(b.guest, 'hex'), now() + ${blockedFor}
from ${rowsOf(bookings, 'b', { ...bookingTypes, guest: 'text' })}
cross join lateral (${idsOfBooking(referenceOf('b'))}) i
on conflict do nothing`.execute(transaction);
}

/** @param email undefined where only the hash is known: then stored bookings are not searched for it */
async function eraseAddress(
  transaction: DatabaseTransaction,
  pool: string,
  address: Buffer,
  email: string | undefined,
): Promise<void> {
  const naming =
    email === undefined
      ? sql``
      : sql`
  union select booking_system, booking_id from cached_booking
  where pool = ${pool} and position(lower(${asInJson(email)}) in lower(fetched)) > 0`;
  await sql`
insert into invitation_block (pool, booking_system, booking_id, guest, prune_at)
select ${pool}, b.booking_system, b.booking_id, ${address}, now() + ${blockedFor} from (
  select booking_system, booking_id from invitation where pool = ${pool} and address = ${address}${naming}) b
on conflict do nothing`.execute(transaction);
  await transaction
    .withTables<OwnTables>()
    .deleteFrom('invitation')
    .where('pool', '=', pool)
    .where('address', '=', address)
    .execute();
  await eraseCopyMails(transaction, pool, address);
  await transaction
    .withTables<OwnTables>()
    .deleteFrom('invitationRefusal')
    .where('pool', '=', pool)
    .where('address', '=', address)
    .where('reason', '=', 'refused')
    .execute();
  await transaction
    .withTables<OwnTables>()
    .updateTable('invitationRefusal')
    .set({ addressEncrypted: null, reply: null })
    .where('pool', '=', pool)
    .where('address', '=', address)
    .execute();
}

/**
 * Erases the messages to a guest, and blocks further ones when the guest's bookings are read again. A pending delivery
 * then finds its message gone. An unsubscription stays, without its address.
 *
 * Call it before deleting the stored bookings that name the guest.
 */
async function eraseInvitations(
  transaction: DatabaseTransaction,
  { hashEmail }: Pick<StoreContext, 'hashEmail'>,
  pool: string,
  { emails, formerAddresses, bookings }: ErasedGuest,
): Promise<void> {
  await blockBookings(transaction, hashEmail, bookings);
  for (const email of emails) {
    const address = hashEmail(pool, email);
    if (address !== undefined) await eraseAddress(transaction, pool, address, email);
    await eraseMailBudgets(transaction, hashEmail, { pool, email });
  }
  for (const address of formerAddresses) await eraseAddress(transaction, pool, address, undefined);
}

// A day's messages are kept at least until it is over in every time zone, so that none is sent twice.
const isPastDay = sql`t.day < current_date - 2`;

/** The tables of mail to guests. */
export const invitationsData: FeatureData = {
  migrations,
  encryptedColumns,
  ofInstallation: ['invitation_listing', 'invitation_plan'],
  personalData: { eraseMessages: eraseInvitations, exportMessages },
  retention: ({ deliveryRetentionMs }) => [
    {
      table: 'invitation',
      maxBatchSize: 500,
      isOver: sql`t.created_at < now() - ${milliseconds(deliveryRetentionMs)} and ${isPastDay}`,
    },
    { table: 'invitation_plan', maxBatchSize: 500, isOver: isPastDay },
    {
      table: 'invitation_block',
      maxBatchSize: 500,
      isOver: sql`t.prune_at < now() and not exists (
        select from upcoming_booking u
        where u.pool = t.pool and u.booking_system = t.booking_system and u.booking_id = t.booking_id)`,
    },
  ],
};
