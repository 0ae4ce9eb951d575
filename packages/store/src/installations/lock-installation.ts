import type { Pool } from '@waiver-service/api';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';
import type { InstallationRow } from './installation.ts';

/**
 * Locks a pool against concurrent changes of its installations; waivers are still accepted.
 * Lock order: pool, installation, waiver, destination, lanes.
 */
export async function lockPool(
  transaction: DatabaseTransaction,
  pool: string,
): Promise<{ readonly installs: Pool['installs'] } | undefined> {
  return transaction
    .selectFrom('pool')
    .select('installs')
    .where('id', '=', pool)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks an installation, even an uninstalled one, against changes and against new messages to it. */
export async function lockInstallation(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<InstallationRow | undefined> {
  const { rows } = await sql<InstallationRow>`
select * from installation where pool = ${pool} and booking_system = ${bookingSystem} for update`.execute(
    transaction,
  );
  return rows[0];
}
