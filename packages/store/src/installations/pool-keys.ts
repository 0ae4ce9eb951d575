import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { currentTime } from '../database/current-time.ts';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { isSameHash, isUseWorthWriting } from '../secrets/key-info.ts';
import { generateSecret, hashSecret } from '../secrets/secret.ts';

/** Issues a new app pool key; former ones stay valid for `overlapMs` at most, those that have ended are removed. */
export async function issuePoolKey(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
  overlapMs: number,
): Promise<string> {
  await sql`
    delete from pool_key where pool = ${pool} and booking_system = ${bookingSystem} and expires_at <= now()`.execute(
    transaction,
  );
  // The shorter of what a key still had and the overlap.
  await sql`
    update pool_key set expires_at = least(expires_at, now() + ${overlapMs} * interval '1 millisecond')
    where pool = ${pool} and booking_system = ${bookingSystem}`.execute(transaction);
  const { secret, hash, hint } = generateSecret('wsp');
  await transaction
    .insertInto('pool_key')
    .values({ id: uuidv7(), pool, booking_system: bookingSystem, hash, hint, expires_at: null })
    .execute();
  return secret;
}

/** What an app pool key opens. */
export interface OpenedPool {
  readonly pool: string;
  /** Whether an operator has yet to approve the installation. */
  readonly pending: boolean;
}

/** The pool that an app pool key of this booking system opens. */
export async function verifyPoolKey(
  database: Database,
  bookingSystem: string,
  key: string,
): Promise<OpenedPool | undefined> {
  const hash = hashSecret(key);
  const row = await database
    .selectFrom('pool_key as k')
    .innerJoin('installation as i', (join) =>
      join.onRef('i.pool', '=', 'k.pool').onRef('i.booking_system', '=', 'k.booking_system'),
    )
    .select(['k.id', 'k.pool', 'k.hash', 'k.last_used_at', 'i.status'])
    .where('k.booking_system', '=', bookingSystem)
    .where('k.hash', '=', hash)
    .where((where) =>
      where.or([where('k.expires_at', 'is', null), where('k.expires_at', '>', sql<Date>`now()`)]),
    )
    .executeTakeFirst();
  if (row === undefined || !isSameHash(row.hash, hash)) return undefined;
  if (isUseWorthWriting(row)) {
    await database
      .updateTable('pool_key')
      .set({ last_used_at: currentTime })
      .where('id', '=', row.id)
      .execute();
  }
  return { pool: row.pool, pending: row.status === 'pending' };
}
