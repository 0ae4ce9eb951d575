import type { KeyInfo } from '@waiver-service/api';
import { idOfCursor, milliseconds, type Page, type PageRequest, pageById } from '@waiver-service/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { findBySecret, generateSecret, isUnexpired, recordUse, type UsedKey } from './secret.ts';

/** The global install keys of booking systems (contract 5). A booking system can have several valid ones. */
export interface InstallKeys extends ReturnType<typeof createInstallKeys> {}

export function createInstallKeys({ database }: StoreContext) {
  return {
    /** `key` cannot be read again. */
    async create(bookingSystem: string): Promise<{ id: string; key: string }> {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wsi');
      await database.insertInto('installKey').values({ id, bookingSystem, hash, hint }).execute();
      return { id, key: secret };
    },
    /** The key that a booking system sent; undefined if it has no such key. */
    async verify(bookingSystem: string, key: string): Promise<{ id: string } | undefined> {
      const row = await findBySecret(
        database,
        key,
        (hash) => sql<UsedKey>`
select id, hash, last_used_at from install_key
where booking_system = ${bookingSystem} and hash = ${hash}`,
      );
      if (row === undefined) return undefined;
      await recordUse(database, 'install_key', row);
      return { id: row.id };
    },
    /** Oldest first. @throws MalformedCursor */
    async list(bookingSystem: string, { limit, cursor }: PageRequest): Promise<Page<KeyInfo>> {
      const rows = await database
        .selectFrom('installKey')
        .select(['id', 'hint', 'createdAt', 'lastUsedAt'])
        .where('bookingSystem', '=', bookingSystem)
        .where('id', '>', idOfCursor(cursor))
        .orderBy('id')
        .limit(limit + 1)
        .execute();
      return pageById(rows, limit);
    },
    /** @returns false if the booking system has no such key */
    async remove(bookingSystem: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await database
        .deleteFrom('installKey')
        .where('bookingSystem', '=', bookingSystem)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

/** Whom an app pool key is issued for. */
export interface PoolKeyOwner {
  readonly pool: string;
  readonly bookingSystem: string;
}

/** Issues a new app pool key. Previous ones stay valid for at most `overlapMs`; expired ones are deleted. */
export async function issuePoolKey(
  transaction: DatabaseTransaction,
  owner: PoolKeyOwner,
  overlapMs: number,
): Promise<string> {
  const { pool, bookingSystem } = owner;
  await transaction
    .deleteFrom('poolKey')
    .where('pool', '=', pool)
    .where('bookingSystem', '=', bookingSystem)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
  // A key that expires sooner is not extended.
  await sql`
    update pool_key set expires_at = least(expires_at, now() + ${milliseconds(overlapMs)})
    where pool = ${pool} and booking_system = ${bookingSystem} and not of_webhook`.execute(transaction);
  return insertPoolKey(transaction, owner, false);
}

/** Issues the key in the address of an installation's webhooks. An uninstall deletes it. */
export const issueWebhookKey = (transaction: DatabaseTransaction, owner: PoolKeyOwner): Promise<string> =>
  insertPoolKey(transaction, owner, true);

async function insertPoolKey(
  transaction: DatabaseTransaction,
  { pool, bookingSystem }: PoolKeyOwner,
  isOfWebhook: boolean,
): Promise<string> {
  const { secret, hash, hint } = generateSecret('wsp');
  await transaction
    .insertInto('poolKey')
    .values({ id: uuidv7(), pool, bookingSystem, hash, hint, ofWebhook: isOfWebhook })
    .execute();
  return secret;
}

/** The pool that an app pool key was issued for. */
export interface PoolOfKey {
  readonly pool: string;
  /** Whether the installation still awaits an operator's approval. */
  readonly pending: boolean;
}

/** Finds the pool of an app pool key that was issued to this booking system and has not expired. */
export async function verifyPoolKey(
  database: Database,
  bookingSystem: string,
  key: string,
): Promise<PoolOfKey | undefined> {
  const row = await findBySecret(
    database,
    key,
    (hash) => sql<UsedKey & PoolOfKey>`
select k.id, k.pool, k.hash, k.last_used_at, i.status = 'pending' as pending
from pool_key k join installation i on i.pool = k.pool and i.booking_system = k.booking_system
where k.booking_system = ${bookingSystem} and k.hash = ${hash} and ${isUnexpired(sql`k.expires_at`)}`,
  );
  if (row === undefined) return undefined;
  await recordUse(database, 'pool_key', row);
  return { pool: row.pool, pending: row.pending };
}
