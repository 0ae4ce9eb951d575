import type { Encryption } from '@waiver-service/database';
import type { Notifications } from './database/notifications.ts';
import type { Database } from './database/tables.ts';
import type { HashEmail } from './encryption/email-hashes.ts';
import type { FeatureData, ReportOccurrences } from './feature-data.ts';

/** Dependencies shared by the parts of the store. */
export interface StoreContext {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly hashEmail: HashEmail;
  readonly notifications: Notifications;
  readonly features: readonly FeatureData[];
  readonly report: ReportOccurrences;
}

/** A problem that no caller sees, for the operator's log. Never contains a secret. */
export type StoreEvent =
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
