import type { BookingSystemConfiguration } from '../configurations/configuration.ts';
import { createDestinationConfigurations } from '../configurations/destination-configurations.ts';
import type { ConfigurationOf } from '../configurations/kept-configurations.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { type PoolOfKey, verifyPoolKey } from '../keys/pool-keys.ts';
import type { Withdrawal } from '../outbox/withdrawals.ts';
import type { StoreContext } from '../store-context.ts';
import { applyManifest, type SendingManifest } from './apply-manifest.ts';
import { approve } from './consent.ts';
import { type InstallRequest, type InstallResult, install } from './install.ts';
import { type Installation, installationOf } from './installation.ts';
import { type InstallationSummary, listInstallations } from './installation-summary.ts';
import { share } from './share.ts';
import { type UninstallRequest, type UninstallResult, uninstall } from './uninstall.ts';

/** Which booking systems are installed for which pools. */
export interface Installations {
  /** Contract 4.4. */
  install(request: InstallRequest): Promise<InstallResult>;
  /** Contract 4.5. */
  uninstall(request: UninstallRequest): Promise<UninstallResult>;
  /** See {@link applyManifest}. */
  applyManifest(manifest: SendingManifest): Promise<number>;
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
  /** Lets an installation that waits for it begin; who approved it and when is written down. */
  approve(pool: string, bookingSystem: string, approvedBy: string): Promise<InstallationSummary | undefined>;
  /** The pool that an app pool key of this booking system opens. */
  verifyPoolKey(bookingSystem: string, key: string): Promise<PoolOfKey | undefined>;
  /**
   * The installation that a destination stands for, with the settings of the booking system; undefined once it was
   * uninstalled. The same object again as long as nothing of it was written.
   * Those that are asked for at once are looked for together.
   */
  configurationByDestination(destinationId: string): Promise<BookingSystemConfiguration | undefined>;
}

/**
 * Makes the part of the store that holds installations.
 *
 * @param onClosed told after a destination was closed: what waits for it is to be cancelled.
 * @param onWithdrawn told after it was committed that fewer answers may leave.
 */
export function createInstallations(
  context: StoreContext,
  configurationOf: ConfigurationOf,
  onClosed: () => void,
  onWithdrawn: (withdrawal: Withdrawal) => void,
): Installations {
  const { database, encryption } = context;
  const summaryOf = async (pool: string, bookingSystem: string) =>
    (await listInstallations(database, pool)).find((summary) => summary.bookingSystem === bookingSystem);
  return {
    install: (request) => install(context, request),
    async uninstall(request) {
      const result = await retryDeadlock(() => uninstall(context, request));
      if (result.outcome === 'uninstalled') onClosed();
      return result;
    },
    applyManifest: (manifest) => applyManifest(database, manifest),
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
      const narrowed = await database
        .transaction()
        .execute((transaction) => share(transaction, { pool, bookingSystem, shareProperties, allowedBy }));
      if (narrowed !== undefined) onWithdrawn({ destination: narrowed });
      return summaryOf(pool, bookingSystem);
    },
    async approve(pool, bookingSystem, approvedBy) {
      const isThere = await approve(context, pool, bookingSystem, approvedBy);
      return isThere ? summaryOf(pool, bookingSystem) : undefined;
    },
    verifyPoolKey: (bookingSystem, key) => verifyPoolKey(database, bookingSystem, key),
    configurationByDestination: createDestinationConfigurations(database, configurationOf),
  };
}
