import type { AccountId } from '@waiver-service/core';
import { currentTime } from '../database/current-time.ts';
import type { DatabaseTransaction } from '../database/database.ts';
import {
  limitRequests,
  openDestination,
  probeSoon,
  type RequestLimit,
  reopenDestination,
} from '../destinations/index.ts';
import type { StoreContext } from '../store-context.ts';
import { encryptAccount, type Installation, installationOf } from './installation.ts';
import { lockInstallation, lockPool, sharesNothing } from './lock-installation.ts';
import { issuePoolKey } from './pool-keys.ts';

/** What is installed, for whom, by whom. */
export interface InstallRequest {
  readonly bookingSystem: string;
  readonly pool: string;
  readonly accountId: AccountId;
  readonly apiKey: string;
  /** Additional account information, as it came (contract 2.7). */
  readonly information: Readonly<Record<string, unknown>>;
  readonly writeUnit: 'waiver' | 'booking';
  /** Whether the booking system takes signed waivers back; where it does not, nothing is enqueued for it. */
  readonly takesGuestUpdates: boolean;
  /** The most that its booking system allows the account; none unless given. All hosts share it. */
  readonly requestLimit?: RequestLimit | undefined;
  /** How long former app pool keys stay valid, milliseconds. */
  readonly keyOverlapMs: number;
  readonly madeBy: 'booking-system' | 'operator';
}

/** What came of an install. `poolKey` is shown only here. */
export type InstallResult =
  | {
      readonly outcome: 'installed' | 'reinstalled';
      readonly installation: Installation;
      readonly poolKey: string;
    }
  | { readonly outcome: 'other-account' }
  | { readonly outcome: 'unknown-pool' };

/**
 * Installs a booking system for a pool. One that is installed with the same account (compared as text) gets the new
 * apiKey and account information; where failures had paused it, it is probed at once. All in one transaction, under the pool's lock: of two calls at once, one installs
 * and the other installs again.
 */
export function install(
  { database, encryption }: StoreContext,
  request: InstallRequest,
): Promise<InstallResult> {
  const { pool, bookingSystem } = request;
  return database.transaction().execute(async (transaction) => {
    if (!(await lockPool(transaction, pool))) return { outcome: 'unknown-pool' };
    const former = await lockInstallation(transaction, pool, bookingSystem);
    const isInstalled = former?.status === 'installed';
    if (isInstalled && former.account_id !== String(request.accountId)) return { outcome: 'other-account' };
    const columns = {
      account_id: String(request.accountId),
      account_id_is_number: typeof request.accountId === 'number',
      account_encrypted: encryptAccount(encryption, pool, bookingSystem, request),
      write_unit: request.writeUnit,
      takes_guest_updates: request.takesGuestUpdates,
      made_by: request.madeBy,
      status: 'installed' as const,
      updated_at: currentTime,
      // Permission to share was given for what was installed before.
      ...(isInstalled ? {} : { ...sharesNothing, installed_at: currentTime }),
    };
    const destinationId = await activeDestination(transaction, pool, former?.destination_id);
    await limitRequests(transaction, destinationId, request.requestLimit);
    const row = await transaction
      .insertInto('installation')
      .values({
        pool,
        booking_system: bookingSystem,
        destination_id: destinationId,
        installed_at: currentTime,
        ...columns,
      })
      .onConflict((conflict) => conflict.columns(['pool', 'booking_system']).doUpdateSet(columns))
      .returningAll()
      .executeTakeFirstOrThrow();
    const poolKey = await issuePoolKey(transaction, pool, bookingSystem, request.keyOverlapMs);
    const installation = installationOf(encryption, row);
    if (installation === undefined) throw new Error('an installation was written without its account');
    return { outcome: isInstalled ? 'reinstalled' : 'installed', installation, poolKey };
  });
}

async function activeDestination(
  transaction: DatabaseTransaction,
  pool: string,
  former: string | undefined,
): Promise<string> {
  if (former === undefined) return openDestination(transaction, { pool, kind: 'guest-update' });
  await reopenDestination(transaction, former);
  await probeSoon(transaction, former);
  return former;
}
