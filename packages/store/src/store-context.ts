import type { BackgroundJob, EncryptedColumn, Encryption, SchemaMigration } from '@waiver-service/database';
import type { ReportOccurrences } from '@waiver-service/outbox';
import type { BookingKey } from '@waiver-service/waivers';
import type { RawBuilder } from 'kysely';
import type { Notifications } from './database/notifications.ts';
import type { Database, DatabaseTransaction } from './database/tables.ts';
import type { HashEmail } from './encryption/email-hashes.ts';

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

/** How long rows are kept whose retention is a setting. */
export interface RowRetention {
  readonly auditRetentionMs: number;
  /** Of ended deliveries; applies to messages to guests, too. */
  readonly deliveryRetentionMs: number;
}

/** Rows of a table that are deleted, in batches: those that meet a condition, or what a function finds. */
export interface RetentionRule {
  readonly table: string;
  readonly maxBatchSize: number;
  /** A condition on a row `t` of the table, or a function that prunes a batch and returns its size. */
  readonly isOver: RawBuilder<unknown> | ((database: Database, maxBatchSize: number) => Promise<number>);
  /** The kind under which the host's metrics count them; they are not counted if it is omitted. */
  readonly kind?: string;
}

/** A waiver, and the guest of a booking whom it is of. */
export interface PlacedWaiver {
  readonly id: string;
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
  readonly bookingGuestId: string | null;
}

/** A guest whose messages are erased. */
export interface ErasedGuest {
  readonly emails: readonly string[];
  /** Keyed hashes of the records' previous addresses. */
  readonly formerAddresses: readonly Buffer[];
  /** The bookings of the erased records. */
  readonly bookings: readonly (BookingKey & {
    /** Keyed hashes of all addresses of the record. */
    readonly addresses: readonly Buffer[];
    readonly bookingGuestId: string | null;
  })[];
}

/** What the jobs of features go by. */
export interface JobSettings extends RowRetention {
  /** Between two rounds of pruning. */
  readonly pruneIntervalMs: number;
  /** Counts what a job has removed because of its age, by kind; 0 makes the kind known. */
  onPruned(kind: string, pruned: number): void;
}

/** What a feature keeps of guests: how it is erased and exported. docs/guest-data.md lists it. */
export interface PersonalData {
  /** Erases what is kept of the guests of waivers that are erased or removed, within the same transaction. */
  readonly eraseOfWaivers?: (
    transaction: DatabaseTransaction,
    pool: string,
    waivers: readonly PlacedWaiver[],
  ) => Promise<void>;
  /**
   * Erases the messages to a guest who is erased, and keeps others from being sent. Called before the stored bookings that
   * name the guest are deleted.
   */
  readonly eraseMessages?: (
    transaction: DatabaseTransaction,
    context: Pick<StoreContext, 'hashEmail'>,
    pool: string,
    guest: ErasedGuest,
  ) => Promise<void>;
  /** What is kept of the guest of a waiver, as fields of its export. */
  readonly exportOfWaiver?: (
    context: StoreContext,
    waiver: PlacedWaiver & { readonly pool: string },
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** The messages to a guest's addresses, which are keyed hashes, as fields of an export. */
  readonly exportMessages?: (
    context: StoreContext,
    pool: string,
    addresses: readonly Buffer[],
  ) => Promise<Readonly<Record<string, unknown>>>;
}

/** A feature's tables, and the rules for their rows. All code that opens the database is given those of all features. */
export interface FeatureData {
  /** Statements by the name of their migration. They run after those of the store and of the features before it. */
  readonly migrations: Readonly<Record<string, SchemaMigration>>;
  /** Every encrypted column of these tables: one missing here would not be rotated, and be lost with its old key. */
  readonly encryptedColumns?: Readonly<Record<string, EncryptedColumn>>;
  /** Tables that are left empty when a backup is restored. */
  readonly notRestored?: readonly string[];
  /** Tables with columns `pool` and `booking_system`, whose rows are deleted when the booking system is uninstalled. */
  readonly ofInstallation?: readonly string[];
  readonly personalData?: PersonalData;
  /** Is told of occurrences, in the transaction that records them. */
  readonly onOccurrences?: ReportOccurrences;
  /** Whether an ended delivery `d` is kept, however old. */
  readonly needsDelivery?: RawBuilder<boolean>;
  /** Is told that a booking system is being uninstalled. */
  readonly onUninstall?: (
    transaction: DatabaseTransaction,
    installation: { readonly pool: string; readonly bookingSystem: string },
  ) => Promise<void>;
  /** Is told that a waiver was voided. */
  readonly onVoided?: (
    context: StoreContext,
    waiver: PlacedWaiver & { readonly pool: string },
  ) => Promise<void>;
  /** The rows that are deleted because of their age. */
  readonly retention?: (settings: RowRetention) => readonly RetentionRule[];
  /** Its background jobs, which every host runs. */
  readonly jobs?: (context: StoreContext, settings: JobSettings) => readonly BackgroundJob[];
}

/** Tells these features of occurrences, in their order. */
export const reportTo =
  (features: readonly FeatureData[]): ReportOccurrences =>
  async (transaction, occurrences) => {
    if (occurrences.length === 0) return;
    for (const { onOccurrences } of features) await onOccurrences?.(transaction, occurrences);
  };
