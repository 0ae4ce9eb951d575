import type { BookingSystemConfiguration } from '../configurations/configuration.ts';
import { createDestinationConfigurations } from '../configurations/destination-configurations.ts';
import type { ConfigurationOf } from '../configurations/kept-configurations.ts';
import { currentTime } from '../database/current-time.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { StoreContext } from '../store-context.ts';
import { type InstallRequest, type InstallResult, install } from './install.ts';
import { type Installation, installationOf } from './installation.ts';
import { type InstallationSummary, listInstallations } from './installation-summary.ts';
import { verifyPoolKey } from './pool-keys.ts';
import { type UninstallRequest, type UninstallResult, uninstall } from './uninstall.ts';

/** Which booking systems are installed for which pools. */
export interface Installations {
  /** Contract 4.4. */
  install(request: InstallRequest): Promise<InstallResult>;
  /** Contract 4.5. */
  uninstall(request: UninstallRequest): Promise<UninstallResult>;
  /** With the account, decrypted. @throws CannotDecrypt */
  get(pool: string, bookingSystem: string): Promise<Installation | undefined>;
  list(pool: string): Promise<InstallationSummary[]>;
  /** Sets which answers go out with Guest Update; who allowed it and when is written down. */
  share(
    pool: string,
    bookingSystem: string,
    shareProperties: readonly string[],
    allowedBy: string,
  ): Promise<InstallationSummary | undefined>;
  /** The pool that an app pool key of this booking system opens. */
  verifyPoolKey(bookingSystem: string, key: string): Promise<{ pool: string } | undefined>;
  /**
   * The installation that a destination stands for, with the settings of the booking system; undefined once it was
   * uninstalled. The same object again as long as nothing of it was written.
   * Those that are asked for at once are looked for together.
   */
  configurationByDestination(destinationId: string): Promise<BookingSystemConfiguration | undefined>;
}

/** Makes the part of the store that holds installations. */
export function createInstallations(context: StoreContext, configurationOf: ConfigurationOf): Installations {
  const { database, encryption } = context;
  return {
    install: (request) => install(context, request),
    uninstall: (request) => retryDeadlock(() => uninstall(context, request)),
    async get(pool, bookingSystem) {
      const row = await database
        .selectFrom('installation')
        .selectAll()
        .where('pool', '=', pool)
        .where('booking_system', '=', bookingSystem)
        .executeTakeFirst();
      return row && installationOf(encryption, row);
    },
    list: (pool) => listInstallations(database, pool),
    async share(pool, bookingSystem, shareProperties, allowedBy) {
      await database
        .updateTable('installation')
        .set({
          share_properties: [...shareProperties],
          share_allowed_by: allowedBy,
          share_allowed_at: currentTime,
          updated_at: currentTime,
        })
        .where('pool', '=', pool)
        .where('booking_system', '=', bookingSystem)
        .where('status', '=', 'installed')
        .execute();
      const summaries = await listInstallations(database, pool);
      return summaries.find((summary) => summary.bookingSystem === bookingSystem);
    },
    verifyPoolKey: (bookingSystem, key) => verifyPoolKey(database, bookingSystem, key),
    configurationByDestination: createDestinationConfigurations(database, configurationOf),
  };
}
