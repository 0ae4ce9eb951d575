import type { EncryptedColumn, SchemaMigration } from '@waiver-service/database';
import type { RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction } from './database/tables.ts';

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
  /** Erases what is kept of the guests of waivers that are erased or removed, within the same transaction. */
  readonly eraseGuests?: (
    transaction: DatabaseTransaction,
    pool: string,
    waivers: readonly PlacedWaiver[],
  ) => Promise<void>;
  /** The rows that are deleted because of their age. */
  readonly retention?: (settings: RowRetention) => readonly RetentionRule[];
}
