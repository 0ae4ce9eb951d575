import type { Database } from './database/database.ts';
import type { Encryption } from './encryption/encryption.ts';

/** Dependencies shared by the parts of the store. */
export interface StoreContext {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly databaseUrl: string;
}

/** A problem that no caller is told of, for the operator's log. Never holds a secret. */
export interface StoreEvent {
  readonly kind: 'connection-lost' | 'pruning-failed' | 'background-job-failed';
  readonly message: string;
}
