import { v7 as uuidv7 } from 'uuid';
import { idAfter, pageById } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { isSameHash, type KeyInfo, recordUse } from './key-info.ts';
import { generateSecret, hashSecret, hintOf } from './secret.ts';

/** The global install keys of booking systems (contract 5). A booking system can have several valid ones. */
export interface InstallKeys {
  /** `key` cannot be read again. */
  create(bookingSystem: string): Promise<{ id: string; key: string }>;
  /**
   * Adds a key that another cell has created.
   * @returns its id here, also if it was added before; undefined if it is a key of another booking system
   */
  add(bookingSystem: string, key: string): Promise<{ id: string } | undefined>;
  /** The key that a booking system sent; undefined if it has no such key. */
  verify(bookingSystem: string, key: string): Promise<{ id: string } | undefined>;
  /** Oldest first. @throws MalformedCursor */
  list(bookingSystem: string, page: PageRequest): Promise<Page<KeyInfo>>;
  /** @returns false if the booking system has no such key */
  remove(bookingSystem: string, id: string): Promise<boolean>;
}

export function createInstallKeys({ database, cell }: StoreContext): InstallKeys {
  return {
    async create(bookingSystem) {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wsi', cell);
      await database
        .insertInto('install_key')
        .values({ id, booking_system: bookingSystem, hash, hint })
        .execute();
      return { id, key: secret };
    },
    add: (bookingSystem, key) =>
      database
        .insertInto('install_key')
        .values({ id: uuidv7(), booking_system: bookingSystem, hash: hashSecret(key), hint: hintOf(key) })
        .onConflict((conflict) =>
          conflict
            .column('hash')
            .doUpdateSet({ hint: hintOf(key) })
            .where('install_key.booking_system', '=', bookingSystem),
        )
        .returning('id')
        .executeTakeFirst(),
    async verify(bookingSystem, key) {
      const hash = hashSecret(key);
      const row = await database
        .selectFrom('install_key')
        .select(['id', 'hash', 'last_used_at'])
        .where('booking_system', '=', bookingSystem)
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined || !isSameHash(row.hash, hash)) return undefined;
      await recordUse(database, 'install_key', row);
      return { id: row.id };
    },
    async list(bookingSystem, { limit, cursor }) {
      const rows = await database
        .selectFrom('install_key')
        .select(['id', 'hint', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
        .where('booking_system', '=', bookingSystem)
        .where('id', '>', idAfter(cursor))
        .orderBy('id')
        .limit(limit + 1)
        .execute();
      return pageById(rows, limit);
    },
    async remove(bookingSystem, id) {
      const { numDeletedRows } = await database
        .deleteFrom('install_key')
        .where('booking_system', '=', bookingSystem)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
