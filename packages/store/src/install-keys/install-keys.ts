import { v7 as uuidv7 } from 'uuid';
import { currentTime } from '../database/current-time.ts';
import { decodeIdCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { isSameHash, isUseWorthWriting, type KeyInfo, keyInfoOf } from '../secrets/key-info.ts';
import { generateSecret, hashSecret } from '../secrets/secret.ts';
import type { StoreContext } from '../store-context.ts';

/** The global install keys of booking systems (contract 5). Several of one are valid at once. */
export interface InstallKeys {
  /** `key` is shown only here. */
  create(installName: string): Promise<{ id: string; key: string }>;
  /** Oldest first. @throws MalformedCursor */
  list(installName: string, page: PageRequest): Promise<Page<KeyInfo>>;
  /** False where the booking system has no such key. */
  remove(installName: string, id: string): Promise<boolean>;
  /** Whether a key is one of this booking system's; never that of another. */
  verify(installName: string, key: string): Promise<boolean>;
}

/** Makes the part of the store that holds install keys. */
export function createInstallKeys({ database }: StoreContext): InstallKeys {
  return {
    async create(installName) {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wsi');
      await database
        .insertInto('install_key')
        .values({ id, booking_system: installName, hash, hint })
        .execute();
      return { id, key: secret };
    },
    async list(installName, { limit, cursor }) {
      let query = database
        .selectFrom('install_key')
        .select(['id', 'created_at', 'last_used_at', 'hint'])
        .where('booking_system', '=', installName)
        .orderBy('id')
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(cursor));
      return pageOf(await query.execute(), limit, ({ id }) => [id], keyInfoOf);
    },
    async remove(installName, id) {
      const { numDeletedRows } = await database
        .deleteFrom('install_key')
        .where('booking_system', '=', installName)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async verify(installName, key) {
      const hash = hashSecret(key);
      const row = await database
        .selectFrom('install_key')
        .select(['id', 'hash', 'last_used_at'])
        .where('booking_system', '=', installName)
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined || !isSameHash(row.hash, hash)) return false;
      if (isUseWorthWriting(row)) {
        await database
          .updateTable('install_key')
          .set({ last_used_at: currentTime })
          .where('id', '=', row.id)
          .execute();
      }
      return true;
    },
  };
}
