import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { isSameHash, recordUse } from './key-info.ts';
import { generateSecret, hashSecret } from './secret.ts';

/** Whom an app pool key is issued for. */
export interface PoolKeyOwner {
  readonly pool: string;
  readonly bookingSystem: string;
  /** The name of this cell. */
  readonly cell: string | undefined;
}

/** Issues a new app pool key. Former ones stay valid for at most `overlapMs`; expired ones are deleted. */
export async function issuePoolKey(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, cell }: PoolKeyOwner,
  overlapMs: number,
): Promise<string> {
  await sql`
    delete from pool_key where pool = ${pool} and booking_system = ${bookingSystem} and expires_at <= now()`.execute(
    transaction,
  );
  // A key that already expires sooner is not prolonged.
  await sql`
    update pool_key set expires_at = least(expires_at, now() + ${overlapMs} * interval '1 millisecond')
    where pool = ${pool} and booking_system = ${bookingSystem} and not of_webhook`.execute(transaction);
  const { secret, hash, hint } = generateSecret('wsp', cell);
  await transaction
    .insertInto('pool_key')
    .values({ id: uuidv7(), pool, booking_system: bookingSystem, hash, hint, expires_at: null })
    .execute();
  return secret;
}

/** Issues the key in the address of an installation's webhooks. It ends with the uninstall. */
export async function issueWebhookKey(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, cell }: PoolKeyOwner,
): Promise<string> {
  const { secret, hash, hint } = generateSecret('wsp', cell);
  await transaction
    .insertInto('pool_key')
    .values({
      id: uuidv7(),
      pool,
      booking_system: bookingSystem,
      hash,
      hint,
      expires_at: null,
      of_webhook: true,
    })
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
  const hash = hashSecret(key);
  const row = await database
    .selectFrom('pool_key as k')
    .innerJoin('installation as i', (join) =>
      join.onRef('i.pool', '=', 'k.pool').onRef('i.booking_system', '=', 'k.booking_system'),
    )
    .select(['k.id', 'k.pool', 'k.hash', 'k.last_used_at', 'i.status'])
    .where('k.booking_system', '=', bookingSystem)
    .where('k.hash', '=', hash)
    .where(sql<boolean>`not exists (select from moved_pool m where m.pool = k.pool)`)
    .where((where) =>
      where.or([where('k.expires_at', 'is', null), where('k.expires_at', '>', sql<Date>`now()`)]),
    )
    .executeTakeFirst();
  if (row === undefined || !isSameHash(row.hash, hash)) return undefined;
  await recordUse(database, 'pool_key', row);
  return { pool: row.pool, pending: row.status === 'pending' };
}
