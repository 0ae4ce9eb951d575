import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import type { InstallationTable } from '../database/tables-configuration.ts';
import { retryLost } from '../sessions/index.ts';
import { registerWebhooksAgain } from '../vendor-webhooks/installed-webhooks.ts';
import { lockInstallation } from './lock-installation.ts';

/** Where an installation's booking system is: undefined leaves a part as it is, null returns to the usual one. */
export interface AddressChange {
  readonly baseUrl?: string | null | undefined;
  readonly environment?: 'live' | 'test' | null | undefined;
}

/** The columns that a change sets. */
export const addressColumns = ({
  baseUrl,
  environment,
}: AddressChange): Partial<Pick<InstallationTable, 'base_url' | 'environment'>> => ({
  ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
  ...(environment === undefined ? {} : { environment }),
});

/** Whether a change makes a difference. */
export const changesAddress = (
  former: Pick<InstallationTable, 'base_url' | 'environment'>,
  change: AddressChange,
): boolean => {
  const { base_url, environment } = { ...former, ...addressColumns(change) };
  return base_url !== former.base_url || environment !== former.environment;
};

/** Forgets what was read at the former address: another environment may have other bookings with the same ids. */
export async function forgetBookings(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<void> {
  for (const table of ['cached_booking', 'booking_alias', 'booking_changes'] as const) {
    await transaction
      .deleteFrom(table)
      .where('pool', '=', pool)
      .where('booking_system', '=', bookingSystem)
      .execute();
  }
}

/** Sets where the booking system of an installation is; lost authorizations and webhooks are tried there at once. */
export async function setAddress(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
  change: AddressChange,
): Promise<void> {
  const former = await lockInstallation(transaction, pool, bookingSystem);
  if (former === undefined || former.status === 'uninstalled' || !changesAddress(former, change)) return;
  await transaction
    .updateTable('installation')
    .set({ ...addressColumns(change), updated_at: currentTime })
    .where('pool', '=', pool)
    .where('booking_system', '=', bookingSystem)
    .execute();
  await forgetBookings(transaction, pool, bookingSystem);
  await retryLost(transaction, { destination: former.destination_id });
  await registerWebhooksAgain(transaction, former.destination_id);
}
