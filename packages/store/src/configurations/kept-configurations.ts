import { settingsOf } from '../booking-systems/booking-systems.ts';
import { installationOf } from '../installations/installation.ts';
import type { StoreContext } from '../store-context.ts';
import type { BookingSystemConfiguration } from './configuration.ts';
import { versionOfConfiguration } from './read-pools.ts';

const mostKept = 10_000;

/** Which configuration is wanted, and which version of it there is at this moment. */
export interface WantedConfiguration {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly version: string;
}

/** Gives a configuration: the one that is kept where it is of the wanted version, else the one in the database. */
export type ConfigurationOf = (
  wanted: WantedConfiguration,
) => Promise<BookingSystemConfiguration | undefined>;

/**
 * Keeps configurations, so that each is decrypted and parsed once for each time it was written. Whoever asks has just
 * read the version: nothing is served that was changed before.
 */
export function keepConfigurations({ database, encryption }: StoreContext): ConfigurationOf {
  const kept = new Map<string, BookingSystemConfiguration>();

  async function read({ pool, bookingSystem }: WantedConfiguration) {
    const row = await database
      .selectFrom('installation as i')
      .leftJoin('booking_system as s', 's.install_name', 'i.booking_system')
      .selectAll('i')
      .select(['s.install_name', 's.base_url', 's.settings_encrypted', 's.updated_at as settings_updated_at'])
      .select(versionOfConfiguration.as('version'))
      .where('i.pool', '=', pool)
      .where('i.booking_system', '=', bookingSystem)
      .executeTakeFirst();
    const installation = row && installationOf(encryption, row);
    if (row === undefined || installation === undefined) return undefined;
    const { install_name, base_url, settings_encrypted, settings_updated_at, version } = row;
    const settings =
      install_name === null || settings_updated_at === null
        ? undefined
        : settingsOf(encryption, {
            install_name,
            base_url,
            settings_encrypted,
            updated_at: settings_updated_at,
          });
    return { installation, settings, version };
  }

  return async (wanted) => {
    const key = JSON.stringify([wanted.pool, wanted.bookingSystem]);
    const known = kept.get(key);
    if (known?.version === wanted.version) return known;
    kept.delete(key);
    const current = await read(wanted);
    if (current === undefined) return undefined;
    kept.set(key, current);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return current;
  };
}
