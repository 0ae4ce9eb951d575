import type { AccountId } from '@waiver-service/core';
import { currentTime } from '../database/current-time.ts';
import { closeDestination } from '../destinations/index.ts';
import type { StoreContext } from '../store-context.ts';
import { lockInstallation, lockPool, sharesNothing } from './lock-installation.ts';

/** What is to be uninstalled. */
export interface UninstallRequest {
  readonly bookingSystem: string;
  readonly pool: string;
  /** The account that asks; left out where an operator does. */
  readonly accountId?: AccountId | undefined;
}

/** What came of an uninstall. */
export interface UninstallResult {
  readonly outcome: 'uninstalled' | 'not-installed' | 'other-account';
}

/**
 * Takes an installation away: its app pool keys end at once, the account and its cached bookings are erased, what
 * waited for it is cancelled; waivers stay. The row stays without the account, as the name of its destination.
 */
export function uninstall(
  { database }: StoreContext,
  { bookingSystem, pool, accountId }: UninstallRequest,
): Promise<UninstallResult> {
  return database.transaction().execute(async (transaction) => {
    await lockPool(transaction, pool);
    const installation = await lockInstallation(transaction, pool, bookingSystem);
    if (installation?.status !== 'installed') return { outcome: 'not-installed' };
    if (accountId !== undefined && installation.account_id !== String(accountId))
      return { outcome: 'other-account' };
    for (const table of ['pool_key', 'cached_booking', 'booking_refresh'] as const) {
      await transaction
        .deleteFrom(table)
        .where('pool', '=', pool)
        .where('booking_system', '=', bookingSystem)
        .execute();
    }
    await transaction
      .updateTable('installation')
      .set({
        status: 'uninstalled',
        account_id: null,
        account_id_is_number: false,
        account_encrypted: null,
        ...sharesNothing,
        updated_at: currentTime,
      })
      .where('pool', '=', pool)
      .where('booking_system', '=', bookingSystem)
      .execute();
    await closeDestination(transaction, installation.destination_id);
    return { outcome: 'uninstalled' };
  });
}
