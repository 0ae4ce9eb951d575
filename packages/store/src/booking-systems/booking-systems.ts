import type { Selectable } from 'kysely';
import { z } from 'zod';
import { currentTime } from '../database/current-time.ts';
import type { BookingSystemTable } from '../database/tables-configuration.ts';
import type { EncryptedPlace } from '../encryption/encryption.ts';
import type { StoreContext } from '../store-context.ts';

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

const settingsSchema = z.record(z.string(), z.unknown());

/** Makes the part of the store that holds booking systems' settings. */
export function createBookingSystems({ database, encryption }: StoreContext): BookingSystems {
  function settingsOf(row: Selectable<BookingSystemTable>): BookingSystemSettings {
    const {
      install_name: installName,
      base_url: baseUrl,
      settings_encrypted: encrypted,
      updated_at: updatedAt,
    } = row;
    const settings =
      encrypted === null
        ? {}
        : settingsSchema.parse(JSON.parse(encryption.decrypt(placeOf(installName), encrypted)));
    return { installName, baseUrl, settings, updatedAt };
  }
  return {
    async put(installName, { baseUrl, settings }) {
      const given = {
        ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
        ...(settings === undefined
          ? {}
          : { settings_encrypted: encryption.encrypt(placeOf(installName), JSON.stringify(settings)) }),
      };
      const row = await database
        .insertInto('booking_system')
        .values({ install_name: installName, base_url: null, settings_encrypted: null, ...given })
        .onConflict((conflict) =>
          conflict.column('install_name').doUpdateSet({ ...given, updated_at: currentTime }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return settingsOf(row);
    },
    async get(installName) {
      const row = await database
        .selectFrom('booking_system')
        .selectAll()
        .where('install_name', '=', installName)
        .executeTakeFirst();
      return row && settingsOf(row);
    },
    async list() {
      const rows = await database.selectFrom('booking_system').selectAll().orderBy('install_name').execute();
      return rows.map(settingsOf);
    },
  };
}

function placeOf(installName: string): EncryptedPlace {
  return { table: 'booking_system', column: 'settings_encrypted', row: [installName] };
}
