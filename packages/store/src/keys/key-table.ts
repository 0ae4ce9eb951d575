import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { currentTime, type Database } from '../database/database.ts';
import { decodeIdCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { generateSecret, type SecretPrefix } from './secret.ts';

/** A key or token as an operator sees it. */
export interface KeyInfo {
  readonly id: string;
  readonly createdAt: Date;
  /** Null if never used; accurate to a minute. */
  readonly lastUsedAt: Date | null;
  /** Prefix and last four characters. */
  readonly hint: string;
}

interface KeyTableOptions {
  readonly table: 'access_token' | 'install_key';
  readonly ownerColumn: 'pool' | 'booking_system';
  readonly prefix: SecretPrefix;
}

/** Hashed keys, each belonging to one owner. */
export interface KeyTable {
  /** `secret` cannot be read again. Rejects if the owner does not exist. */
  create(owner: string): Promise<{ id: string; secret: string }>;
  /** Oldest first. @throws MalformedCursor */
  list(owner: string, page: PageRequest): Promise<Page<KeyInfo>>;
  /** @returns false if the owner has no such key */
  remove(owner: string, id: string): Promise<boolean>;
}

export function createKeyTable(
  database: Database,
  { table, ownerColumn, prefix }: KeyTableOptions,
): KeyTable {
  const keys = sql.table(table);
  const ownerRef = sql.ref(ownerColumn);
  return {
    async create(owner) {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret(prefix);
      await sql`
        insert into ${keys} (id, ${ownerRef}, hash, hint) values (${id}, ${owner}, ${hash}, ${hint})`.execute(
        database,
      );
      return { id, secret };
    },
    async list(owner, { limit, cursor }) {
      const after = cursor === undefined ? '' : decodeIdCursor(cursor);
      const { rows } = await sql<KeyInfo>`
        select id, created_at as "createdAt", last_used_at as "lastUsedAt", hint from ${keys}
        where ${ownerRef} = ${owner} and id > ${after}
        order by id limit ${limit + 1}`.execute(database);
      return pageOf(
        rows,
        limit,
        ({ id }) => [id],
        (key) => key,
      );
    },
    async remove(owner, id) {
      const { numAffectedRows } = await sql`
        delete from ${keys} where ${ownerRef} = ${owner} and id = ${id}`.execute(database);
      return numAffectedRows === 1n;
    },
  };
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
