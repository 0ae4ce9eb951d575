import { currentTime } from '@waiver-service/database';
import { sql } from 'kysely';
import { retryLost } from '../booking-systems/sessions.ts';
import type { DatabaseTransaction } from '../database/tables.ts';
import { type InstallationRow, lockInstallation } from './installation.ts';
import { registerWebhooksAgain } from './installed-webhooks.ts';

/** The address of an installation's booking system: undefined leaves a part unchanged, null restores the usual one. */
export interface AddressChange {
  readonly baseUrl?: string | null | undefined;
  readonly environment?: 'live' | 'test' | null | undefined;
}

/** Whether a change makes a difference. */
export const changesAddress = (
  former: Pick<InstallationRow, 'baseUrl' | 'environment'>,
  { baseUrl = former.baseUrl, environment = former.environment }: AddressChange,
): boolean => baseUrl !== former.baseUrl || environment !== former.environment;

/** Discards bookings read at the previous address: another environment may have other bookings with the same ids. */
export async function forgetBookings(
  transaction: DatabaseTransaction,
  pools: readonly string[],
  bookingSystem: string,
): Promise<void> {
  for (const table of [
    'cached_booking',
    'upcoming_booking',
    'day_reading',
    'booking_alias',
    'booking_changes',
  ]) {
    await sql`
delete from ${sql.table(table)} where pool = any(${[...pools]}::text[]) and booking_system = ${bookingSystem}`.execute(
      transaction,
    );
  }
}

/**
 * Discards bookings read at a booking system's previous address, which a change of its settings has just replaced.
 * Locks the installations first, so that no late response is stored afterwards.
 */
export async function leaveUsualAddress(
  transaction: DatabaseTransaction,
  bookingSystem: string,
): Promise<void> {
  const { rows } = await sql<{ pool: string }>`
with concerned as materialized (
  select pool, booking_system from installation
  where booking_system = ${bookingSystem} and base_url is null and status <> 'uninstalled'
  order by pool for update)
update installation i set address_version = i.address_version + 1
from concerned c where i.pool = c.pool and i.booking_system = c.booking_system
returning i.pool`.execute(transaction);
  const pools = rows.map(({ pool }) => pool);
  if (pools.length > 0) await forgetBookings(transaction, pools, bookingSystem);
}

/** Sets the address of an installation's booking system; retries a lost authorization and webhooks there at once. */
export async function setAddress(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
  change: AddressChange,
): Promise<void> {
  const former = await lockInstallation(transaction, pool, bookingSystem);
  if (former === undefined || former.status === 'uninstalled' || !changesAddress(former, change)) return;
  const { baseUrl = former.baseUrl, environment = former.environment } = change;
  await transaction
    .updateTable('installation')
    .set({ baseUrl, environment, addressVersion: sql<number>`address_version + 1`, updatedAt: currentTime })
    .where('pool', '=', pool)
    .where('bookingSystem', '=', bookingSystem)
    .execute();
  await forgetBookings(transaction, [pool], bookingSystem);
  await retryLost(transaction, { destination: former.destinationId });
  await registerWebhooksAgain(transaction, former.destinationId);
}
