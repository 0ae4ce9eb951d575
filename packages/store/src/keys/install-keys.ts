import type { KeyInfo } from '@waiver-service/api';
import type { Page, PageRequest } from '@waiver-service/database';
import { idOfCursor, pageById } from '@waiver-service/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { StoreContext } from '../store-context.ts';
import { findBySecret, recordUse, type UsedKey } from './key-info.ts';
import { generateSecret } from './secret.ts';

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
