import type { AccountId } from '@waiver-service/core';
import { currentTime } from '@waiver-service/database';
import { closeDestination } from '@waiver-service/outbox';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { chooseDefault } from './install.ts';
import { lockInstallation, lockPool } from './installation.ts';
import { requestRemoval } from './installed-webhooks.ts';

export interface UninstallRequest {
  readonly bookingSystem: string;
  readonly pool: string;
  /** The requesting account; undefined for an operator. */
  readonly accountId?: AccountId | undefined;
}

export interface UninstallResult {
  readonly outcome: 'uninstalled' | 'not-installed' | 'other-account' | 'unknown-pool';
}

/**
 * Revokes the app pool keys, tells features, erases the account and its cached bookings, requests the removal of
 * registered webhooks (see {@link requestRemoval}), and cancels pending messages. Waivers stay, and so does the row,
 * without the account, for its destination's deliveries. Messages are cancelled in the background (see
 * {@link closeDestination}), so the transaction is short however many there are.
 */
export function uninstall(
  { database, encryption, features }: StoreContext,
  { bookingSystem, pool, accountId }: UninstallRequest,
): Promise<UninstallResult> {
  return database.transaction().execute(async (transaction) => {
    if ((await lockPool(transaction, pool)) === undefined) return { outcome: 'unknown-pool' };
    const installation = await lockInstallation(transaction, pool, bookingSystem);
    if (installation === undefined || installation.status === 'uninstalled')
      return { outcome: 'not-installed' };
    if (accountId !== undefined && installation.accountId !== String(accountId))
      return { outcome: 'other-account' };
    await requestRemoval(transaction, encryption, installation);
    for (const table of [
      'pool_key',
      'cached_booking',
      'upcoming_booking',
      'booking_alias',
      'booking_changes',
      'booking_refresh',
      'inbound_message',
      ...features.flatMap(({ ofInstallation = [] }) => ofInstallation),
    ]) {
      await sql`
delete from ${sql.table(table)} where pool = ${pool} and booking_system = ${bookingSystem}`.execute(
        transaction,
      );
    }
    // Approval and the permission to share were given to this account, not to the next one.
    await transaction
      .updateTable('installation')
      .set({
        status: 'uninstalled',
        accountId: null,
        accountIdIsNumber: false,
        accountEncrypted: null,
        shareProperties: [],
        shareDocument: false,
        shareAllowedBy: null,
        shareAllowedAt: null,
        approvedBy: null,
        approvedAt: null,
        baseUrl: null,
        environment: null,
        updatedAt: currentTime,
      })
      .where('pool', '=', pool)
      .where('bookingSystem', '=', bookingSystem)
      .execute();
    for (const { onUninstall } of features) await onUninstall?.(transaction, { pool, bookingSystem });
    for (const table of ['booking_system_session', 'authorization_request']) {
      await sql`
delete from ${sql.table(table)} where destination = ${installation.destinationId}`.execute(transaction);
    }
    await replaceDefault(transaction, pool, bookingSystem);
    await closeDestination(transaction, installation.destinationId);
    return { outcome: 'uninstalled' };
  });
}

/** If the default was uninstalled, the only remaining booking system becomes the default; of several, none does. */
async function replaceDefault(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<void> {
  await transaction
    .updateTable('pool')
    .set({ defaultBookingSystem: null })
    .where('id', '=', pool)
    .where('defaultBookingSystem', '=', bookingSystem)
    .execute();
  await chooseDefault(transaction, pool);
}
