import { timingSafeEqual } from 'node:crypto';
import { currentTime, type Database } from '../database/database.ts';

/** A key or token as an operator sees it. */
export interface KeyInfo {
  readonly id: string;
  readonly createdAt: Date;
  /** Null if never used; accurate to a minute. */
  readonly lastUsedAt: Date | null;
  /** Prefix, cell and last four characters. */
  readonly hint: string;
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
  { id, last_used_at: lastUsedAt }: { readonly id: string; readonly last_used_at: Date | null },
): Promise<void> {
  if (lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < recordUseEveryMs) return;
  await database.updateTable(table).set({ last_used_at: currentTime }).where('id', '=', id).execute();
}
