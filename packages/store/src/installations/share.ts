import { sql } from 'kysely';
import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import { narrowPermission } from '../destinations/narrow-permission.ts';
import { lockInstallation } from './lock-installation.ts';

export interface ShareRequest {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly shareProperties: readonly string[];
  readonly allowedBy: string;
}

/**
 * Sets which answers Guest Updates hold, and records who allowed it.
 *
 * @returns the destination if fewer answers may be sent to it than before
 */
export async function share(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, shareProperties, allowedBy }: ShareRequest,
): Promise<string | undefined> {
  const former = await lockInstallation(transaction, pool, bookingSystem);
  if (former === undefined || former.status === 'uninstalled') return undefined;
  await sql`
update installation set share_properties = ${shareProperties}, share_allowed_by = ${allowedBy},
  share_allowed_at = ${currentTime}, updated_at = ${currentTime}
where pool = ${pool} and booking_system = ${bookingSystem}`.execute(transaction);
  const destination = former.destination_id;
  const change = { destination, before: former.share_properties, after: shareProperties };
  return (await narrowPermission(transaction, change)) ? destination : undefined;
}
