import type { AccountId } from '@waiver-service/core';
import { sql } from 'kysely';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { type PoolOfKey, verifyPoolKey } from '../keys/pool-keys.ts';
import { dispatchWithdrawal } from '../outbox/withdrawals.ts';
import type { StoreContext } from '../store-context.ts';
import { applyManifest, type SendingManifest } from './apply-manifest.ts';
import { approve } from './consent.ts';
import {
  type BookingSystemConfiguration,
  createDestinationConfigurations,
} from './destination-configurations.ts';
import { type InstallRequest, type InstallResult, install } from './install.ts';
import { type Installation, type InstallationRow, installationOf } from './installation.ts';
import { type InstallationSummary, listInstallations } from './installation-summary.ts';
import { type AddressChange, setAddress } from './set-address.ts';
import { type ShareRequest, share } from './share.ts';
import { type UninstallRequest, type UninstallResult, uninstall } from './uninstall.ts';
import { withdraw } from './withdraw.ts';

export interface Installations {
  /** Contract 4.4. */
  install(request: InstallRequest): Promise<InstallResult>;
  /** Contract 4.5. */
  uninstall(request: UninstallRequest): Promise<UninstallResult>;
  /** See {@link applyManifest}. */
  applyManifest(manifest: SendingManifest): Promise<number>;
  /** With the decrypted account. @throws CannotDecrypt */
  get(pool: string, bookingSystem: string): Promise<Installation | undefined>;
  list(pool: string): Promise<InstallationSummary[]>;
  /** The number of a booking system's installations, including pending ones, that do not override its usual address. */
  countAtUsualAddress(bookingSystem: string): Promise<number>;
  /** Sets what Guest Updates contain besides the contract's fields, and records who allowed it and when. */
  share(request: ShareRequest): Promise<InstallationSummary | undefined>;
  /** Sets the address of an installation's booking system, and discards bookings read elsewhere. */
  setAddress(
    pool: string,
    bookingSystem: string,
    change: AddressChange,
  ): Promise<InstallationSummary | undefined>;
  /** Sets a permission in the account information to false. @returns whether it was true */
  withdraw(pool: string, bookingSystem: string, permission: string): Promise<boolean>;
  /** Approves a pending installation, and records who did and when. */
  approve(pool: string, bookingSystem: string, approvedBy: string): Promise<InstallationSummary | undefined>;
  /** The pool for which an app pool key was issued to this booking system. */
  verifyPoolKey(bookingSystem: string, key: string): Promise<PoolOfKey | undefined>;
  /** The pools for which this booking system is installed, or pending, with an account; ids compare as text. */
  poolsOfAccount(bookingSystem: string, accountId: AccountId): Promise<PoolOfKey[]>;
  /**
   * The installation of a destination, with the booking system's settings; undefined once uninstalled. Concurrent calls
   * are batched. @throws CannotDecrypt
   */
  configurationByDestination(destinationId: string): Promise<BookingSystemConfiguration | undefined>;
}

/** @param onClosed called after a destination was closed, to cancel its pending messages */
export function createInstallations(context: StoreContext, onClosed: () => void): Installations {
  const { database, encryption, notifications } = context;
  const changed = () => notifications.announce('setups');
  const summaryOf = async (pool: string, bookingSystem: string) =>
    (await listInstallations(database, pool)).find((summary) => summary.bookingSystem === bookingSystem);
  return {
    async install(request) {
      const result = await install(context, request);
      changed();
      return result;
    },
    async uninstall(request) {
      const result = await retryDeadlock(() => uninstall(context, request));
      if (result.outcome === 'uninstalled') onClosed();
      changed();
      return result;
    },
    applyManifest: (manifest) => applyManifest(database, manifest),
    async get(pool, bookingSystem) {
      const { rows } = await sql<InstallationRow>`
select * from installation where pool = ${pool} and booking_system = ${bookingSystem}`.execute(database);
      return rows[0] && installationOf(encryption, rows[0]);
    },
    list: (pool) => listInstallations(database, pool),
    async countAtUsualAddress(bookingSystem) {
      const { rows } = await sql<{ count: number }>`
select count(*)::integer as count from installation
where booking_system = ${bookingSystem} and status <> 'uninstalled' and base_url is null`.execute(database);
      return rows[0]?.count ?? 0;
    },
    async share(request) {
      const narrowed = await database.transaction().execute((transaction) => share(transaction, request));
      if (narrowed !== undefined) dispatchWithdrawal(notifications, { destination: narrowed });
      return summaryOf(request.pool, request.bookingSystem);
    },
    async setAddress(pool, bookingSystem, change) {
      await database
        .transaction()
        .execute((transaction) => setAddress(transaction, pool, bookingSystem, change));
      changed();
      return summaryOf(pool, bookingSystem);
    },
    async withdraw(pool, bookingSystem, permission) {
      const wasAllowed = await withdraw(context, pool, bookingSystem, permission);
      if (wasAllowed) changed();
      return wasAllowed;
    },
    async approve(pool, bookingSystem, approvedBy) {
      const isInstalled = await approve(context, pool, bookingSystem, approvedBy);
      changed();
      return isInstalled ? summaryOf(pool, bookingSystem) : undefined;
    },
    verifyPoolKey: (bookingSystem, key) => verifyPoolKey(database, bookingSystem, key),
    async poolsOfAccount(bookingSystem, accountId) {
      const { rows } = await sql<PoolOfKey>`
select pool, status = 'pending' as pending from installation
where booking_system = ${bookingSystem} and account_id = ${String(accountId)}
order by pool`.execute(database);
      return rows;
    },
    configurationByDestination: createDestinationConfigurations(context),
  };
}
