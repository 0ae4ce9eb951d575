import type { StoreContext } from '../store-context.ts';
import { createKeyTable, isSameHash, type KeyTable, recordUse } from './key-table.ts';
import { hashSecret } from './secret.ts';

/** The global install keys of booking systems (contract 5). A booking system can have several valid ones. */
export interface InstallKeys extends Pick<KeyTable, 'list' | 'remove'> {
  /** `key` cannot be read again. */
  create(bookingSystem: string): Promise<{ id: string; key: string }>;
  /** Whether a key belongs to this booking system. */
  verify(bookingSystem: string, key: string): Promise<boolean>;
}

export function createInstallKeys({ database }: StoreContext): InstallKeys {
  const keys = createKeyTable(database, {
    table: 'install_key',
    ownerColumn: 'booking_system',
    prefix: 'wsi',
  });
  return {
    ...keys,
    async create(bookingSystem) {
      const { id, secret } = await keys.create(bookingSystem);
      return { id, key: secret };
    },
    async verify(bookingSystem, key) {
      const hash = hashSecret(key);
      const row = await database
        .selectFrom('install_key')
        .select(['id', 'hash', 'last_used_at'])
        .where('booking_system', '=', bookingSystem)
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined || !isSameHash(row.hash, hash)) return false;
      await recordUse(database, 'install_key', row);
      return true;
    },
  };
}
