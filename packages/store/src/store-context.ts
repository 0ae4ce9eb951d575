import type { Database } from './database/database.ts';
import type { Encryption } from './encryption/encryption.ts';

/** What each part of the store is made with. */
export interface StoreContext {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly databaseUrl: string;
}

/** Something that an operator should know and no caller is told. Never holds a secret. */
export interface StoreEvent {
  readonly kind: 'connection-lost' | 'pruning-failed' | 'background-job-failed';
  readonly message: string;
}
