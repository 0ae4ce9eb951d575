import { currentTime } from '../database/database.ts';
import type { StoreContext } from '../store-context.ts';
import { encryptSettings, settingsOf } from './settings-row.ts';

/** What an operator has set for an installed plugin. */
export interface BookingSystemSettings {
  readonly installName: string;
  /** Null where the plugin's own default holds. */
  readonly baseUrl: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly updatedAt: Date;
}

/** A change of settings; what is left out stays as it is. */
export interface BookingSystemSettingsChange {
  readonly baseUrl?: string | null | undefined;
  /** Replaces all settings. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** The settings of booking systems, encrypted: some are secret. */
export interface BookingSystems {
  put(installName: string, change: BookingSystemSettingsChange): Promise<BookingSystemSettings>;
  get(installName: string): Promise<BookingSystemSettings | undefined>;
  /** By install name. */
  list(): Promise<BookingSystemSettings[]>;
}

/** Makes the part of the store that holds booking systems' settings. */
export function createBookingSystems({ database, encryption }: StoreContext): BookingSystems {
  return {
    async put(installName, { baseUrl, settings }) {
      const given = {
        ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
        ...(settings === undefined
          ? {}
          : { settings_encrypted: encryptSettings(encryption, installName, settings) }),
      };
      const row = await database
        .insertInto('booking_system')
        .values({ install_name: installName, base_url: null, settings_encrypted: null, ...given })
        .onConflict((conflict) =>
          conflict.column('install_name').doUpdateSet({ ...given, updated_at: currentTime }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
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
