import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { currentTime, type Database } from '../database/database.ts';

/** A key or token as an operator sees it. */
export interface KeyInfo {
  readonly id: string;
  readonly createdAt: Date;
  /** Null if never used; accurate to a minute. */
  readonly lastUsedAt: Date | null;
  /** Prefix and last four characters. */
  readonly hint: string;
}

/** The stored data of a key that a caller presented. */
export interface UsedKey extends Pick<KeyInfo, 'id' | 'lastUsedAt'> {
  readonly hash: Buffer;
}

/** Compares two hashes in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

const recordUseEveryMs = 60_000;

/** Records that a key was used, once a minute at most: otherwise every read would also be a write. */
export async function recordUse(
  database: Database,
  table: 'credential' | 'install_key' | 'pool_key',
  { id, lastUsedAt }: Pick<UsedKey, 'id' | 'lastUsedAt'>,
): Promise<void> {
  if (lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < recordUseEveryMs) return;
  await sql`update ${sql.table(table)} set last_used_at = ${currentTime} where id = ${id}`.execute(database);
}
