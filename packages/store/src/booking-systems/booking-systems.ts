import {
  currentTime,
  definedColumns,
  type Encryption,
  locate,
  retryDeadlock,
} from '@waiver-service/database';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { DatabaseTransaction, Tables } from '../database/tables.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import type { StoreContext } from '../store-context.ts';
import { retryLost } from './sessions.ts';

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

/** Locks the usual address against other changes. @returns the address; null for the plugin's default */
async function lockUsualAddress(
  transaction: DatabaseTransaction,
  installName: string,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('bookingSystem')
    .select('baseUrl')
    .where('installName', '=', installName)
    .forUpdate()
    .executeTakeFirst();
  return row?.baseUrl ?? null;
}

/** How a change of the settings reaches a booking system's installations. */
export interface SettingsFollowers {
  /** Has their webhooks checked. */
  readonly checkWebhooks: (installName: string) => Promise<void>;
  /** Discards bookings read at the previous usual address. */
  readonly leaveUsualAddress: (transaction: DatabaseTransaction, installName: string) => Promise<void>;
}

/** Settings of booking systems, stored encrypted because some are secret. */
export function createBookingSystems(
  { database, encryption, notifications }: StoreContext,
  { checkWebhooks, leaveUsualAddress }: SettingsFollowers,
) {
  return {
    async put(
      installName: string,
      { baseUrl, settings }: BookingSystemSettingsChange,
    ): Promise<BookingSystemSettings> {
      const { names, values, assignments } = definedColumns({
        baseUrl,
        settingsEncrypted:
          settings &&
          encryption.encrypt(locate(encryptedColumns.settings, installName), JSON.stringify(settings)),
        updatedAt: currentTime,
      });
      const row = await retryDeadlock(() =>
        database.transaction().execute(async (transaction) => {
          const former = await lockUsualAddress(transaction, installName);
          const { rows } = await sql<SettingsRow>`
insert into booking_system (install_name, ${names}) values (${installName}, ${values})
on conflict (install_name) do update set ${assignments}
returning *`.execute(transaction);
          const [row] = rows;
          if (row === undefined) throw new Error(`settings of ${installName} were written but not returned`);
          if (row.baseUrl !== former) await leaveUsualAddress(transaction, installName);
          return row;
        }),
      );
      // Credentials and addresses may be among the settings.
      await retryLost(database, { bookingSystem: installName });
      notifications.announce('setups');
      // Messages held for a lost authorization may be sent now.
      notifications.announce('outbox');
      await checkWebhooks(installName);
      return settingsOf(encryption, row);
    },
    async get(installName: string): Promise<BookingSystemSettings | undefined> {
      const { rows } = await sql<SettingsRow>`
select * from booking_system where install_name = ${installName}`.execute(database);
      return rows[0] && settingsOf(encryption, rows[0]);
    },
    /** By install name. */
    async list(): Promise<BookingSystemSettings[]> {
      const { rows } = await sql<SettingsRow>`select * from booking_system order by install_name`.execute(
        database,
      );
      return rows.map((row) => settingsOf(encryption, row));
    },
  };
}

const settingsSchema = z.record(z.string(), z.unknown());

type SettingsRow = Omit<Selectable<Tables['bookingSystem']>, 'settingsVersion'>;

/** Decrypts the settings of a row. @throws CannotDecrypt */
export function settingsOf(encryption: Encryption, row: SettingsRow): BookingSystemSettings {
  const { installName, baseUrl, settingsEncrypted, updatedAt } = row;
  const settings =
    settingsEncrypted === null
      ? {}
      : settingsSchema.parse(
          JSON.parse(encryption.decrypt(locate(encryptedColumns.settings, installName), settingsEncrypted)),
        );
  return { installName, baseUrl, settings, updatedAt };
}
