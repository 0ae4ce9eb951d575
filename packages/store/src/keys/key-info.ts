import { timingSafeEqual } from 'node:crypto';
import type { KeyInfo } from '@waiver-service/api';
import { currentTime, type Queryable } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { hashSecret } from './secret.ts';

/** The stored data of a key that a caller presented. */
export interface UsedKey extends Pick<KeyInfo, 'id' | 'lastUsedAt'> {
  readonly hash: Buffer;
}

/** Compares two hashes in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a key or token is valid still; null: it does not expire. */
export const isUnexpired = (expiresAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${expiresAt} is null or ${expiresAt} > now())`;

/**
 * Finds the row of a secret that a caller presented.
 *
 * @param select - reads the row with this hash, and the hash
 */
export async function findBySecret<Row extends { readonly hash: Buffer }>(
  database: Queryable,
  secret: string,
  select: (hash: Buffer) => RawBuilder<Row>,
): Promise<Omit<Row, 'hash'> | undefined> {
  const presented = hashSecret(secret);
  const { rows } = await select(presented).execute(database);
  const [row] = rows;
  if (row === undefined || !isSameHash(row.hash, presented)) return undefined;
  const { hash: _, ...found } = row;
  return found;
}

const recordUseEveryMs = 60_000;

/** Records that a key was used, once a minute at most: otherwise every read would also be a write. */
export async function recordUse(
  database: Queryable,
  table: string,
  { id, lastUsedAt }: Pick<UsedKey, 'id' | 'lastUsedAt'>,
): Promise<void> {
  if (lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < recordUseEveryMs) return;
  await sql`update ${sql.table(table)} set last_used_at = ${currentTime} where id = ${id}`.execute(database);
}
