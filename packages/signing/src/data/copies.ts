import type { SigningDetails } from '@waiver-service/api';
import {
  type Database,
  type DatabaseTransaction,
  hashSecret,
  type StoreContext,
} from '@waiver-service/store/features';
import { type RawBuilder, sql } from 'kysely';
import { poolProof } from './pool-proof.ts';
import { readEvidence, type StoredEvidence } from './read-evidence.ts';
import type { OwnTables } from './tables.ts';

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
export type CopyState = Readonly<NonNullable<SigningDetails['copy']>>;

/** A copy, found by its link. */
export interface FoundCopy {
  readonly pool: string;
  readonly signing: string;
  /** Of the signing. */
  readonly language: string;
  /** The first guest whose record is left; null if the copy has ended. */
  readonly waiverId: string | null;
}

/** The guests' copies of what they signed. */
export interface Copies extends ReturnType<typeof createCopies> {}

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
