import { timingSafeEqual } from 'node:crypto';

/** A secret that was given out, as a person may see it. */
export interface KeyInfo {
  readonly id: string;
  readonly createdAt: Date;
  /** Null where it was never used; exact to a minute. */
  readonly lastUsedAt: Date | null;
  /** Prefix and last four characters. */
  readonly hint: string;
}

/** How often a use is written down: not at each call, which would make every read a write. */
const writeUseEveryMs = 60_000;

/** The columns that {@link keyInfoOf} reads. */
interface KeyInfoRow {
  readonly id: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly hint: string;
}

/** A row of a table of secrets as {@link KeyInfo}. */
export function keyInfoOf(row: KeyInfoRow): KeyInfo {
  return { id: row.id, createdAt: row.created_at, lastUsedAt: row.last_used_at, hint: row.hint };
}

/** Whether the last use was written down so long ago that this one should be. */
export function isUseWorthWriting({ last_used_at }: Pick<KeyInfoRow, 'last_used_at'>): boolean {
  return last_used_at === null || Date.now() - last_used_at.getTime() >= writeUseEveryMs;
}

/** Compares two hashes of the same length in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
