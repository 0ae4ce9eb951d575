import type { InvitationOccasion } from '@waiver-service/api';
import { locate, rowsOf } from '@waiver-service/database';
import { enqueuing } from '@waiver-service/outbox';
import { mailOrder, takeMailOfDay } from '@waiver-service/signing/data';
import type { DatabaseTransaction, StoreContext } from '@waiver-service/store/features';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { InvitationRecipient } from './invitation.ts';
import { destinationOf } from './invitation-settings.ts';
import { encryptedColumns } from './tables.ts';

/** Messages to store. */
export interface NewInvitations extends BookingKey {
  readonly occasion: InvitationOccasion;
  readonly day: string;
  readonly recipients: readonly InvitationRecipient[];
  readonly createdBy: string;
}

/** The outcome for one recipient. */
export interface PlannedInvitation {
  readonly email: string;
  readonly guests: number;
  /**
   * `known`: the address already has a message for this occasion that was not left out, or was left out as one too many.
   * `too-many`: staff sent it {@link maxByStaff} within 24 hours, or it got as many as it may in a day; then one that was
   * planned is stored as left out. `refused`, `unsubscribed` and `erased`: the address gets none.
   */
  readonly outcome: 'enqueued' | 'known' | 'too-many' | 'refused' | 'unsubscribed' | 'erased';
}

/** How many messages staff may send to an address about a booking in 24 hours. */
const maxByStaff = 3;
/** Why a message was left out: its address got as many as it may in a day. */
const tooMany = 'too-many';
/** How many messages staff may send to a pool's guests in an hour. */
const maxByStaffOfPool = 300;

/** Staff sent {@link maxByStaffOfPool} messages in the last hour. */
export class TooManyInvitations extends Error {
  override readonly name = 'TooManyInvitations';
}

async function requireRoom(transaction: DatabaseTransaction, pool: string): Promise<void> {
  const { rows } = await sql<{ sent: number }>`
select count(*)::integer as sent from (
  select from invitation where pool = ${pool} and occasion = 'staff' and created_at > now() - interval '1 hour'
  limit ${maxByStaffOfPool}::integer) s`.execute(transaction);
  if ((rows[0]?.sent ?? 0) >= maxByStaffOfPool)
    throw new TooManyInvitations('staff have sent as many messages as they may in an hour');
}

interface Addressee extends InvitationRecipient {
  readonly id: string;
  /** Hashed, in hexadecimal digits. */
  readonly address: string;
}

type Outcome = PlannedInvitation['outcome'];

interface EarlierMessages {
  readonly refusal: 'refused' | 'unsubscribed' | null;
  readonly isErased: boolean;
  readonly isKnown: boolean;
  readonly byStaff: number;
}

function outcomeOf(
  occasion: InvitationOccasion,
  { refusal, isErased, isKnown, byStaff }: EarlierMessages,
): Outcome {
  if (isErased) return 'erased';
  if (refusal !== null) return refusal;
  if (isKnown) return 'known';
  return occasion === 'staff' && byStaff >= maxByStaff ? 'too-many' : 'enqueued';
}

/** Whether each address may be sent a message, in the given order. */
async function judge(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, bookingId, occasion, day }: NewInvitations,
  addressees: readonly Addressee[],
): Promise<readonly Outcome[]> {
  const ofBooking = (table: 'b' | 'i') =>
    sql`${sql.ref(`${table}.pool`)} = ${pool} and ${sql.ref(`${table}.booking_system`)} = ${bookingSystem}
      and ${sql.ref(`${table}.booking_id`)} = ${bookingId}`;
  const given = addressees.map(({ address }, place) => ({ place, address }));
  const { rows } = await sql<EarlierMessages>`
select r.reason as refusal,
  exists (select from invitation_block b where ${ofBooking('b')} and b.guest = decode(g.address, 'hex')) as is_erased,
  ${occasion}::text <> 'staff' and exists (select from invitation i where ${ofBooking('i')} and i.occasion = ${occasion}
    and i.day = ${day}::date and i.address = decode(g.address, 'hex')
    and (i.state <> 'left-out' or i.reason in ('link-revoked', ${tooMany}))) as is_known,
  (select count(*)::integer from invitation i where ${ofBooking('i')} and i.occasion = 'staff'
    and i.address = decode(g.address, 'hex') and i.created_at > now() - interval '24 hours') as by_staff
from ${rowsOf(given, 'g', { place: 'integer', address: 'text' })}
left join invitation_refusal r on r.pool = ${pool} and r.address = decode(g.address, 'hex')
order by g.place`.execute(transaction);
  return rows.map((row) => outcomeOf(occasion, row));
}

/** The order of all locks of addresses; that of their hashes differs by pool. */
const byEmail = (one: Addressee, other: Addressee): number =>
  mailOrder(one.email) < mailOrder(other.email) ? -1 : 1;

/** Serializes the plans for an address, so that each sees what the others have planned. */
async function lockAddresses(
  transaction: DatabaseTransaction,
  addressees: readonly Addressee[],
): Promise<void> {
  for (const { address } of addressees.toSorted(byEmail))
    await sql`select pg_advisory_xact_lock(hashtextextended(${`invitations to ${address}`}, 0))`.execute(
      transaction,
    );
}

/** Those of the addressees who may be sent another message today. */
async function withinDay(
  transaction: DatabaseTransaction,
  { hashEmail }: Pick<StoreContext, 'hashEmail'>,
  pool: string,
  addressees: readonly Addressee[],
): Promise<ReadonlySet<Addressee>> {
  const allowed = new Set<Addressee>();
  for (const addressee of addressees.toSorted(byEmail)) {
    if (await takeMailOfDay(transaction, hashEmail, { pool, email: addressee.email })) allowed.add(addressee);
  }
  return allowed;
}

/** Stores messages that are left out, for the log: nothing is sent. */
async function insertLeftOut(
  transaction: DatabaseTransaction,
  { encryption }: Pick<StoreContext, 'encryption'>,
  { pool, bookingSystem, bookingId, occasion, day, createdBy }: NewInvitations,
  addressees: readonly Addressee[],
): Promise<void> {
  for (const { id, address, email, guests } of addressees) {
    const sealed = encryption.encrypt(locate(encryptedColumns.invitationAddress, id), email);
    await sql`
insert into invitation (id, pool, booking_system, booking_id, occasion, day, address, address_encrypted, guests, state,
  reason, created_by, created_at, ended_at)
values (${id}, ${pool}, ${bookingSystem}, ${bookingId}, ${occasion}, ${day}::date, decode(${address}, 'hex'), ${sealed},
  ${guests}, 'left-out', ${tooMany}, ${createdBy}, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))`.execute(
      transaction,
    );
  }
}

/** Stores messages with their deliveries. @returns the ids of those whose address had none for this occasion */
async function insertInvitations(
  transaction: DatabaseTransaction,
  { encryption }: Pick<StoreContext, 'encryption'>,
  { pool, bookingSystem, bookingId, occasion, day, createdBy }: NewInvitations,
  addressees: readonly Addressee[],
  destination: string,
): Promise<ReadonlySet<string>> {
  const given = addressees.map(({ id, address, email, guests }) => {
    const sealed = encryption.encrypt(locate(encryptedColumns.invitationAddress, id), email);
    return { id, address, sealed, guests };
  });
  const { rows } = await sql<{ id: string }>`
with g as materialized (
  select * from ${rowsOf(given, 'g', { id: 'text', address: 'text', sealed: 'text', guests: 'integer' })}),
stored as (
  insert into invitation (id, pool, booking_system, booking_id, occasion, day, address, address_encrypted, guests,
    created_by, created_at)
  select id, ${pool}, ${bookingSystem}, ${bookingId}, ${occasion}, ${day}::date, decode(address, 'hex'), sealed, guests,
    ${createdBy}, date_trunc('milliseconds', now())
  from g order by address
  on conflict (pool, booking_system, booking_id, address, occasion, day)
    where occasion <> 'staff' and (state <> 'left-out' or reason = 'link-revoked') do nothing
  returning id),
message as (
  -- Each in a lane by itself: a slow address holds up no other.
  select id::uuid as id, ${pool}::text as pool, ${destination}::text as destination, id as ordering_key, '{}' as body
  from stored),
${enqueuing('invitation')}
select id from stored`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stores messages with their deliveries. Idempotent except for messages by staff: one for each address, occasion and
 * day of a booking, and another one if that was left out.
 *
 * Locks the pool's settings (shared), so that its destination stays.
 * @throws TooManyInvitations
 */
export async function planInvitations(
  transaction: DatabaseTransaction,
  context: Pick<StoreContext, 'hashEmail' | 'encryption'>,
  invitations: NewInvitations,
): Promise<readonly PlannedInvitation[]> {
  const { pool, occasion, recipients } = invitations;
  if (recipients.length === 0) return [];
  const destination = await destinationOf(transaction, pool);
  if (occasion === 'staff') {
    // Serialized, so that concurrent calls cannot exceed the limits.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`invitations by staff ${pool}`}, 0))`.execute(
      transaction,
    );
    await requireRoom(transaction, pool);
  }
  const addressees = recipients.map(({ email, guests }): Addressee => {
    const address = context.hashEmail(pool, email)?.toString('hex') ?? '';
    return { id: uuidv7(), email, guests, address };
  });
  await lockAddresses(transaction, addressees);
  const outcomes = await judge(transaction, invitations, addressees);
  const open = addressees.filter((_, place) => outcomes[place] === 'enqueued');
  const allowed = await withinDay(transaction, context, pool, open);
  if (occasion !== 'staff')
    await insertLeftOut(
      transaction,
      context,
      invitations,
      open.filter((each) => !allowed.has(each)),
    );
  const stored = await insertInvitations(transaction, context, invitations, [...allowed], destination);
  return addressees.map((addressee, place) => {
    const { id, email, guests } = addressee;
    const judged = outcomes[place] ?? 'known';
    const outcome = judged === 'enqueued' && !allowed.has(addressee) ? 'too-many' : judged;
    return { email, guests, outcome: outcome === 'enqueued' && !stored.has(id) ? 'known' : outcome };
  });
}
