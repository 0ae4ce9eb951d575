import type { SigningDetails } from '@waiver-service/api';
import { locate } from '@waiver-service/database';
import { enqueuing } from '@waiver-service/outbox';
import {
  type Database,
  type DatabaseTransaction,
  hashSecret,
  type StoreContext,
} from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { takeCopyOfDay } from './mail-budget.ts';
import { poolProof } from './pool-secrets.ts';
import { readEvidence, type StoredEvidence } from './read-evidence.ts';
import { encryptedColumns, type OwnTables } from './tables.ts';

/*
 * A copy is a link to what was signed:
 *
 *   open ── staff end it, or the last guest's record is erased or removed ──▶ ended
 *
 * It does not end otherwise, and an ended copy stays ended. The token is derived from the pool's secret and the signing's
 * id, so that a repeated request and the message to the signer get the same one; only its hash is stored.
 */

/** A signing, by its pool and id. */
interface SigningKey {
  readonly pool: string;
  readonly id: string;
}

/** The state of a signing's copy, for staff. */
type CopyState = Readonly<NonNullable<SigningDetails['copy']>>;

/** A copy, found by its link. */
export interface FoundCopy {
  readonly pool: string;
  readonly signing: string;
  /** Of the signing. */
  readonly language: string;
  /** The first guest whose record is left; null if the copy has ended. */
  readonly waiverId: string | null;
}

/** The token of a signing's copy: always the same. */
export const copyTokenOf = async (
  context: Pick<StoreContext, 'database' | 'encryption'>,
  { pool, id }: SigningKey,
): Promise<string> => `wsd_${await poolProof(context, pool, JSON.stringify(['copy', id]))}`;

/** A part of a `with` that stores the copies of the signings of its part `stored`. */
export const copiesOfStored = (token: string): RawBuilder<unknown> => sql`
copied as (insert into signing_copy (pool, signing, hash) select pool, id, ${hashSecret(token)} from stored)`;

/** Stores the copy of a signing, unless it has one. */
export async function insertCopy(
  database: Database | DatabaseTransaction,
  { pool, id }: SigningKey,
  token: string,
): Promise<void> {
  await database
    .withTables<OwnTables>()
    .insertInto('signingCopy')
    .values({ pool, signing: id, hash: hashSecret(token) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function createCopies(context: StoreContext) {
  const { database } = context;
  return {
    /** The copy of a token; undefined for a token that never was one. */
    async find(token: string): Promise<FoundCopy | undefined> {
      // A record that is being erased is gone for everyone at once.
      const { rows } = await sql<FoundCopy>`
select c.pool, c.signing, s.language, case when c.ended_at is null then (
  select w.waiver_id from signing_waiver w join waiver r on r.pool = w.pool and r.id = w.waiver_id
  where w.pool = c.pool and w.signing = c.signing and r.erasure is null order by w.guest limit 1) end as waiver_id
from signing_copy c join signing s on s.pool = c.pool and s.id = c.signing where c.hash = ${hashSecret(token)}`.execute(
        database,
      );
      return rows[0];
    },
    /** Reads what a copy shows, and counts that. Undefined if it has ended. */
    async open({ pool, signing, waiverId }: FoundCopy): Promise<StoredEvidence | undefined> {
      const evidence = waiverId === null ? undefined : await readEvidence(context, pool, waiverId);
      if (evidence === undefined) return undefined;
      const { numUpdatedRows } = await database
        .withTables<OwnTables>()
        .updateTable('signingCopy')
        .set({
          openings: sql<number>`openings + 1`,
          lastOpenedAt: sql<Date>`date_trunc('milliseconds', now())`,
        })
        .where('pool', '=', pool)
        .where('signing', '=', signing)
        .where('endedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n ? evidence : undefined;
    },
    /** The copy of a waiver's signing; undefined if the waiver was not signed here, is erased, or never had a copy. */
    async ofWaiver(pool: string, waiverId: string): Promise<CopyState | undefined> {
      const { rows } = await sql<CopyState>`
select c.openings, c.last_opened_at, c.ended_at
from signing_waiver w join signing_copy c on c.pool = w.pool and c.signing = w.signing
where w.pool = ${pool} and w.waiver_id = ${waiverId}`.execute(database);
      return rows[0];
    },
    /** Ends the copy of a waiver's signing. @returns false if the waiver was not signed here, or is erased */
    async end(pool: string, waiverId: string): Promise<boolean> {
      const { rows } = await sql<{ signing: string }>`
select w.signing from signing_waiver w join waiver r on r.pool = w.pool and r.id = w.waiver_id
where w.pool = ${pool} and w.waiver_id = ${waiverId} and r.erasure is null`.execute(database);
      const id = rows[0]?.signing;
      if (id === undefined) return false;
      // Inserted as ended where an earlier version stored the signing: sent again, it would get a copy.
      await insertCopy(database, { pool, id }, await copyTokenOf(context, { pool, id }));
      await database
        .withTables<OwnTables>()
        .updateTable('signingCopy')
        .set({ endedAt: sql<Date>`coalesce(ended_at, date_trunc('milliseconds', now()))` })
        .where('pool', '=', pool)
        .where('signing', '=', id)
        .execute();
      return true;
    },
  };
}

/*
 * The states of a message to a guest, beside those of its delivery in the outbox:
 *
 *   waiting ── before the mail server is given the text ──▶ handing-over ── it took it ──▶ sent
 *      ▲                                                       │  │
 *      └──────────────── the server refused it ────────────────┘  └── no answer, or found again ──▶ in-doubt
 *   waiting ── the server refuses the address ──▶ refused
 *   waiting ── the guest has signed, the booking was cancelled, … ──▶ left-out
 *
 * A message in doubt is not resent: it may have arrived, and the next occasion follows. A message left out stays left
 * out: asking its guest after all takes another message. Only the dispatcher that has claimed the delivery makes these
 * transitions.
 */
export type MailState = 'waiting' | 'handing-over' | 'sent' | 'in-doubt' | 'refused' | 'left-out';

/** The mail to guests, by which links to copies are sent. Given by the feature that writes to guests. */
export interface GuestMail {
  /** The destination of a pool's mail, created on first use and locked (shared), so that it stays. */
  destinationOf(transaction: DatabaseTransaction, pool: string): Promise<string>;
  /** Whether an address of a pool, a keyed hash, is sent nothing: the mail server refused it, or its owner unsubscribed. */
  isRefused(pool: string, address: Buffer): RawBuilder<boolean>;
}
export const GuestMail: ServiceIdentifier<GuestMail> = Symbol('GuestMail');

/** The dependencies of signings. */
export interface SigningContext extends StoreContext {
  readonly guestMail: GuestMail;
}

/** Whom to send the link to a copy. */
export interface CopyRecipient {
  readonly email: string;
  /** Of the signing. */
  readonly language: string;
}

/** A message with the link to a copy. */
export interface CopyMail extends CopyRecipient {
  readonly id: string;
  readonly pool: string;
  readonly signing: string;
  readonly state: MailState;
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
  { hashEmail, encryption, guestMail }: Pick<SigningContext, 'hashEmail' | 'encryption' | 'guestMail'>,
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
  where not ${guestMail.isRefused(pool, address)}
    and (select count(*) from copy_mail m where m.pool = ${pool} and m.address = ${address}
      and m.created_at > now() - interval '24 hours') < ${maxPerDay}::integer
  on conflict (pool, signing) do nothing returning id),
message as (
  select id::uuid as id, ${pool}::text as pool, ${destination}::text as destination, id as ordering_key, '{}' as body
  from mail),
${enqueuing('invitation')}
select from message`.execute(transaction);
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
      from: readonly MailState[],
      { state, reason = null }: { readonly state: MailState; readonly reason?: string | null },
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

/** Deletes the messages to an address. A pending delivery then finds its message gone. */
export async function eraseCopyMails(
  transaction: DatabaseTransaction,
  pool: string,
  address: Buffer,
): Promise<void> {
  await sql`delete from copy_mail where pool = ${pool} and address = ${address}`.execute(transaction);
}

/** A message in an export. */
export interface ExportedCopyMail extends Pick<CopyMail, 'id' | 'signing' | 'state'> {
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** The messages to addresses, oldest first. */
export async function exportCopyMails(
  database: Database,
  pool: string,
  addresses: readonly Buffer[],
  limit: number,
): Promise<readonly ExportedCopyMail[]> {
  const { rows } = await sql<ExportedCopyMail>`
select id, signing, state, reason, created_at, ended_at from copy_mail
where pool = ${pool} and address = any (${[...addresses]}::bytea[])
order by id limit ${limit}::integer`.execute(database);
  return rows;
}
