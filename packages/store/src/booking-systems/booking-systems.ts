import type { Selectable } from 'kysely';
import { z } from 'zod';
import { currentTime } from '../database/database.ts';
import type { BookingSystemTable } from '../database/tables-configuration.ts';
import { type EncryptedColumn, type Encryption, locate } from '../encryption/encryption.ts';
import { retryLost } from '../sessions/index.ts';
import type { StoreContext } from '../store-context.ts';

/** An operator's settings of an installed plugin. */
export interface BookingSystemSettings {
  readonly installName: string;
  /** Null for the plugin's default. */
  readonly baseUrl: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly updatedAt: Date;
}

/** Omitted fields stay unchanged. */
export interface BookingSystemSettingsChange {
  readonly baseUrl?: string | null | undefined;
  /** Replaces all settings. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Settings of booking systems, stored encrypted because some are secret. */
export interface BookingSystems {
  put(installName: string, change: BookingSystemSettingsChange): Promise<BookingSystemSettings>;
  get(installName: string): Promise<BookingSystemSettings | undefined>;
  /** By install name. */
  list(): Promise<BookingSystemSettings[]>;
}

/** @param onEnqueued - called after a change with which what waits may be sent */
export function createBookingSystems(
  { database, encryption }: StoreContext,
  onEnqueued: () => void,
): BookingSystems {
  return {
    async put(installName, { baseUrl, settings }) {
      // Kysely omits columns that are undefined.
      const columns = {
        base_url: baseUrl,
        settings_encrypted:
          settings && encryption.encrypt(locate(settingsColumn, installName), JSON.stringify(settings)),
      };
      const row = await database
        .insertInto('booking_system')
        .values({ install_name: installName, ...columns })
        .onConflict((conflict) =>
          conflict.column('install_name').doUpdateSet({ ...columns, updated_at: currentTime }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      // Credentials and addresses may be among the settings.
      await retryLost(database, { bookingSystem: installName });
      onEnqueued();
      return settingsOf(encryption, row);
    },
    async get(installName) {
      const row = await database
        .selectFrom('booking_system')
        .selectAll()
        .where('install_name', '=', installName)
        .executeTakeFirst();
      return row && settingsOf(encryption, row);
    },
    async list() {
      const rows = await database.selectFrom('booking_system').selectAll().orderBy('install_name').execute();
      return rows.map((row) => settingsOf(encryption, row));
    },
  };
}

const settingsSchema = z.record(z.string(), z.unknown());

/** Decrypts the settings of a row. @throws CannotDecrypt */
export function settingsOf(
  encryption: Encryption,
  row: Selectable<BookingSystemTable>,
): BookingSystemSettings {
  const { install_name: installName, base_url: baseUrl, settings_encrypted, updated_at: updatedAt } = row;
  const settings =
    settings_encrypted === null
      ? {}
      : settingsSchema.parse(
          JSON.parse(encryption.decrypt(locate(settingsColumn, installName), settings_encrypted)),
        );
  return { installName, baseUrl, settings, updatedAt };
}

/** The settings of a booking system. */
export const settingsColumn = {
  table: 'booking_system',
  column: 'settings_encrypted',
  key: ['install_name'],
} as const satisfies EncryptedColumn;
