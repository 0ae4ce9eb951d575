import type { Selectable } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import type { InstallationTable, InstallPolicy } from '../database/tables-configuration.ts';

/** The columns of an installation that shares no answers. */
export const sharesNothing = { share_properties: [], share_allowed_by: null, share_allowed_at: null };

/** The columns of an installation that nobody had to approve. */
export const notApproved = { approved_by: null, approved_at: null };

/**
 * Locks a pool against other changes of its installations; waivers are accepted meanwhile. Taken first: the order of
 * locks is pool, installation, waiver, lanes.
 *
 * @returns who may install, undefined where there is no such pool.
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

/** Locks an installation, also one that was uninstalled, against changes and against waivers that it would get. */
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
