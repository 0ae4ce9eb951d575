import type { Database } from './database/database.ts';
import type { Encryption } from './encryption/encryption.ts';

/** What each part of the store is made with. */
export interface StoreContext {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly databaseUrl: string;
}
