import { sql } from 'kysely';
import { retryLost } from '../booking-systems/retry-lost.ts';
import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import type { InstallationRow } from './installation.ts';
import { registerWebhooksAgain } from './installed-webhooks.ts';
import { lockInstallation } from './lock-installation.ts';

/** Where an installation's booking system is: undefined leaves a part as it is, null returns to the usual one. */
export interface AddressChange {
  readonly baseUrl?: string | null | undefined;
  readonly environment?: 'live' | 'test' | null | undefined;
}

/** Whether a change makes a difference. */
export const changesAddress = (
  former: Pick<InstallationRow, 'base_url' | 'environment'>,
  { baseUrl = former.base_url, environment = former.environment }: AddressChange,
): boolean => baseUrl !== former.base_url || environment !== former.environment;

/** Forgets bookings read at the former address: another environment may have other bookings with the same ids. */
export async function forgetBookings(
  transaction: DatabaseTransaction,
  pool: string,
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
delete from ${sql.table(table)} where pool = ${pool} and booking_system = ${bookingSystem}`.execute(
      transaction,
    );
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
  const { baseUrl = former.base_url, environment = former.environment } = change;
  await sql`
update installation set base_url = ${baseUrl}, environment = ${environment}, updated_at = ${currentTime}
where pool = ${pool} and booking_system = ${bookingSystem}`.execute(transaction);
  await forgetBookings(transaction, pool, bookingSystem);
  await retryLost(transaction, { destination: former.destination_id });
  await registerWebhooksAgain(transaction, former.destination_id);
}
