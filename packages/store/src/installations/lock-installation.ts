import type { Selectable } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import type { InstallationTable, InstallPolicy } from '../database/tables-configuration.ts';

/**
 * Locks a pool against concurrent changes of its installations; waivers are still accepted. This lock comes first: the
 * order is pool, installation, waiver, destination, lanes.
 */
export async function lockPool(
  transaction: DatabaseTransaction,
  pool: string,
): Promise<{ readonly installs: InstallPolicy } | undefined> {
  return transaction
    .selectFrom('pool')
    .select('installs')
    .where('id', '=', pool)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks an installation, even an uninstalled one, against changes and against new messages to it. */
export function lockInstallation(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<Selectable<InstallationTable> | undefined> {
  return transaction
    .selectFrom('installation')
    .selectAll()
    .where('pool', '=', pool)
    .where('booking_system', '=', bookingSystem)
    .forUpdate()
    .executeTakeFirst();
}
