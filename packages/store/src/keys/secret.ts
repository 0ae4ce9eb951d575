import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyInfo } from '@waiver-service/api';
import { currentTime, type Queryable } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';

/**
 * The prefix of a credential (`wsc`), an install key (`wsi`), an app pool key (`wsp`), an access token (`wst`), a
 * session (`wss`), the code of a sign-in link (`wsl`), the token of a check-in link (`wsg`), a returning guest's proof
 * (`wsr`) or the credential of a kiosk (`wsk`). The token of a copy (`wsd`) is derived.
 */
export type SecretPrefix = 'wsc' | 'wsi' | 'wsp' | 'wst' | 'wss' | 'wsl' | 'wsg' | 'wsr' | 'wsk';

/** A new secret, of which only `hash` and `hint` are stored. */
export interface GeneratedSecret {
  /** Cannot be recovered later. */
  readonly secret: string;
  readonly hash: Buffer;
  /** Prefix and last four characters, to recognize a secret by. */
  readonly hint: string;
}

const secretBytes = 32;

/** Generates 32 random bytes in base64url behind a prefix: `wst_…`. */
export function generateSecret(prefix: SecretPrefix): GeneratedSecret {
  const secret = `${prefix}_${randomBytes(secretBytes).toString('base64url')}`;
  return { secret, hash: hashSecret(secret), hint: `${prefix}_…${secret.slice(-4)}` };
}

/** SHA-256: enough for 32 random bytes, unlike for a password. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

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
