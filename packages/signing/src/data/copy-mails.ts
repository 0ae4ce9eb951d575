import { locate } from '@waiver-service/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DatabaseTransaction } from '../database/tables.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import type { InvitationState } from '../invitations/invitation.ts';
import { takeCopyOfDay } from '../invitations/mail-budget.ts';
import type { StoreContext } from '../store-context.ts';
import { copyTokenOf } from './copies.ts';

/** Whom to send the link to a copy. */
export interface CopyRecipient {
  readonly email: string;
  /** Of the signing. */
  readonly language: string;
}

/** A message with the link to a copy. It has the states of an {@link Invitation}. */
export interface CopyMail extends CopyRecipient {
  readonly id: string;
  readonly pool: string;
  readonly signing: string;
  readonly state: InvitationState;
  /** Whether its guests' records are all voided, or its copy has ended. */
  readonly isOver: boolean;
}

/**
 * How many copies one address is sent in 24 hours, as strangers may enter any address. Whoever signs sees the link
 * anyway.
 */
const maxPerDay = 5;

/**
 * Stores the message of a signing with its delivery, unless its address gets none: the mail server refused it, its owner
 * unsubscribed, or it, or its mailbox from all pools, got as many as it may today.
 */
export async function insertCopyMail(
  transaction: DatabaseTransaction,
  { hashEmail, encryption }: Pick<StoreContext, 'hashEmail' | 'encryption'>,
  { pool, id: signing }: { readonly pool: string; readonly id: string },
  { email, language }: CopyRecipient,
  destination: string,
): Promise<void> {
  const address = hashEmail(pool, email);
  if (address === undefined) return;
  const id = uuidv7();
  const sealed = encryption.encrypt(locate(encryptedColumns.copyMailAddress, id), email);
  // The last lock of the transaction. Serialized, so that concurrent signings cannot exceed the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`copies to ${address.toString('hex')}`}, 0))`.execute(
    transaction,
  );
  if (!(await takeCopyOfDay(transaction, hashEmail, { pool, email }))) return;
  await sql`
with mail as (
  insert into copy_mail (id, pool, signing, address, address_encrypted, language)
  select ${id}, ${pool}, ${signing}, ${address}, ${sealed}, ${language}
  where not exists (select from invitation_refusal r where r.pool = ${pool} and r.address = ${address})
    and (select count(*) from copy_mail m where m.pool = ${pool} and m.address = ${address}
      and m.created_at > now() - interval '24 hours') < ${maxPerDay}::integer
  on conflict (pool, signing) do nothing returning id),
enqueued as (
  insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body,
    created_at)
  select ${pool}, id::uuid, ${destination}, 'invitation', id, id, 1, null, false, '{}', date_trunc('milliseconds', now())
  from mail)
insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at)
select ${destination}, id::uuid, ${pool}, id, nextval('outbox_sequence'), id, null, false, now() from mail`.execute(
    transaction,
  );
}

interface Row extends Omit<CopyMail, 'email'> {
  readonly sealed: string;
}

/** Messages with links to copies. */
export function createCopyMails(context: StoreContext) {
  const { database, encryption } = context;
  return {
    /** Undefined if it was erased. */
    async get(id: string): Promise<CopyMail | undefined> {
      const { rows } = await sql<Row>`
select m.id, m.pool, m.signing, m.address_encrypted as sealed, m.language, m.state,
  exists (select from signing_copy c where c.pool = m.pool and c.signing = m.signing and c.ended_at is not null)
  or not exists (
    select from signing_waiver w join waiver r on r.pool = w.pool and r.id = w.waiver_id
    where w.pool = m.pool and w.signing = m.signing and not r.deleted and r.erasure is null) as is_over
from copy_mail m where m.id = ${id}`.execute(database);
      const [row] = rows;
      if (row === undefined) return undefined;
      const { sealed, ...mail } = row;
      return { ...mail, email: encryption.decrypt(locate(encryptedColumns.copyMailAddress, id), sealed) };
    },
    /** The token that it sends. */
    tokenOf: ({ pool, signing }: Pick<CopyMail, 'pool' | 'signing'>): Promise<string> =>
      copyTokenOf(context, { pool, id: signing }),
    /** Moves a message to another state if it is in one of `from`. @returns whether it was */
    async move(
      { id }: Pick<CopyMail, 'id'>,
      from: readonly InvitationState[],
      { state, reason = null }: { readonly state: InvitationState; readonly reason?: string | null },
    ): Promise<boolean> {
      const isEnd = state !== 'waiting' && state !== 'handing-over';
      const { numAffectedRows } = await sql`
update copy_mail set state = ${state}, reason = ${reason},
  ended_at = case when ${isEnd} then date_trunc('milliseconds', now()) end
where id = ${id} and state = any (${[...from]}::text[])`.execute(database);
      return numAffectedRows === 1n;
    },
  };
}
