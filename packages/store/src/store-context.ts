import type { Database } from './database/database.ts';
import type { ListReads } from './database/list-reads.ts';
import type { Notifications } from './database/notifications.ts';
import type { ReplicaReads } from './database/replica-reads.ts';
import type { HashEmail } from './encryption/email-hashes.ts';
import type { Encryption } from './encryption/encryption.ts';

/** Dependencies shared by the parts of the store. */
export interface StoreContext {
  readonly database: Database;
  /** For lists and overviews, which may lag slightly. */
  readonly onReplica: ReplicaReads;
  /** For lists of records and messages: limits the connections that one pool's lists can use. */
  readonly readList: ListReads;
  readonly encryption: Encryption;
  readonly hashEmail: HashEmail;
  readonly notifications: Notifications;
}

/** A problem that no caller sees, for the operator's log. Never contains a secret. */
export type StoreEvent =
  | {
      readonly kind: 'replica-failed';
      readonly message: string;
      readonly cause: unknown;
    }
  | {
      readonly kind: 'connection-lost' | 'migration-waits' | 'background-job-failed';
      readonly message: string;
    }
  | {
      /** The booking was read but not stored, so it cannot be served while its booking system is down. */
      readonly kind: 'booking-not-saved';
      readonly pool: string;
      readonly bookingSystem: string;
      readonly bookingId: string;
      readonly message: string;
    };
