import type { AccountId } from '@waiver-service/core';
import { sql } from 'kysely';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { type PoolOfKey, verifyPoolKey } from '../keys/pool-keys.ts';
import { dispatchWithdrawal } from '../outbox/withdrawals.ts';
import type { StoreContext } from '../store-context.ts';
import { applyManifest, type SendingManifest } from './apply-manifest.ts';
import { approve } from './consent.ts';
import { createDestinationConfigurations } from './destination-configurations.ts';
import { type InstallRequest, type InstallResult, install } from './install.ts';
import { type Installation, type InstallationRow, installationOf } from './installation.ts';
import { type InstallationSummary, listInstallations } from './installation-summary.ts';
import { type AddressChange, setAddress } from './set-address.ts';
import { type ShareRequest, share } from './share.ts';
import { type UninstallRequest, type UninstallResult, uninstall } from './uninstall.ts';
import { withdraw } from './withdraw.ts';

export interface Installations extends ReturnType<typeof createInstallations> {}

/** @param onClosed called after a destination was closed, to cancel its pending messages */
export function createInstallations(context: StoreContext, onClosed: () => void) {
  const { database, encryption, notifications } = context;
  const changed = () => notifications.announce('setups');
  const summaryOf = async (pool: string, bookingSystem: string) =>
    (await listInstallations(database, pool)).find((summary) => summary.bookingSystem === bookingSystem);
  return {
    /** Contract 4.4. */
    async install(request: InstallRequest): Promise<InstallResult> {
      const result = await install(context, request);
      changed();
      return result;
    },
    /** Contract 4.5. */
    async uninstall(request: UninstallRequest): Promise<UninstallResult> {
      const result = await retryDeadlock(() => uninstall(context, request));
      if (result.outcome === 'uninstalled') onClosed();
      changed();
      return result;
    },
    /** See {@link applyManifest}. */
    applyManifest: (manifest: SendingManifest): Promise<number> => applyManifest(database, manifest),
    /** With the decrypted account. @throws CannotDecrypt */
    async get(pool: string, bookingSystem: string): Promise<Installation | undefined> {
      const { rows } = await sql<InstallationRow>`
select * from installation where pool = ${pool} and booking_system = ${bookingSystem}`.execute(database);
      return rows[0] && installationOf(encryption, rows[0]);
    },
    list: (pool: string): Promise<InstallationSummary[]> => listInstallations(database, pool),
    /** The number of a booking system's installations, including pending ones, that do not override its usual address. */
    async countAtUsualAddress(bookingSystem: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
select count(*)::integer as count from installation
where booking_system = ${bookingSystem} and status <> 'uninstalled' and base_url is null`.execute(database);
      return rows[0]?.count ?? 0;
    },
    /** Sets what Guest Updates contain besides the contract's fields, and records who allowed it and when. */
    async share(request: ShareRequest): Promise<InstallationSummary | undefined> {
      const narrowed = await database.transaction().execute((transaction) => share(transaction, request));
      if (narrowed !== undefined) dispatchWithdrawal(notifications, { destination: narrowed });
      return summaryOf(request.pool, request.bookingSystem);
    },
    /** Sets the address of an installation's booking system, and discards bookings read elsewhere. */
    async setAddress(
      pool: string,
      bookingSystem: string,
      change: AddressChange,
    ): Promise<InstallationSummary | undefined> {
      await database
        .transaction()
        .execute((transaction) => setAddress(transaction, pool, bookingSystem, change));
      changed();
      return summaryOf(pool, bookingSystem);
    },
    /** Sets a permission in the account information to false. @returns whether it was true */
    async withdraw(pool: string, bookingSystem: string, permission: string): Promise<boolean> {
      const wasAllowed = await withdraw(context, pool, bookingSystem, permission);
      if (wasAllowed) changed();
      return wasAllowed;
    },
    /** Approves a pending installation, and records who did and when. */
    async approve(
      pool: string,
      bookingSystem: string,
      approvedBy: string,
    ): Promise<InstallationSummary | undefined> {
      const isInstalled = await approve(context, pool, bookingSystem, approvedBy);
      changed();
      return isInstalled ? summaryOf(pool, bookingSystem) : undefined;
    },
    /** The pool for which an app pool key was issued to this booking system. */
    verifyPoolKey: (bookingSystem: string, key: string): Promise<PoolOfKey | undefined> =>
      verifyPoolKey(database, bookingSystem, key),
    /** The pools for which this booking system is installed, or pending, with an account; ids compare as text. */
    async poolsOfAccount(bookingSystem: string, accountId: AccountId): Promise<PoolOfKey[]> {
      const { rows } = await sql<PoolOfKey>`
select pool, status = 'pending' as pending from installation
where booking_system = ${bookingSystem} and account_id = ${String(accountId)}
order by pool`.execute(database);
      return rows;
    },
    /**
     * The installation of a destination, with the booking system's settings; undefined once uninstalled. Concurrent calls
     * are batched. @throws CannotDecrypt
     */
    configurationByDestination: createDestinationConfigurations(context),
  };
}
