import type { Pool } from '@waiver-service/api';
import { currentTime } from '@waiver-service/database';
import { sql } from 'kysely';
import { notify } from '../database/notifications.ts';
import type { DatabaseTransaction } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { lockInstallation, lockPool } from './lock-installation.ts';

// An installation's states:
//
//   (none), uninstalled --install--> pending if isApprovalNeeded, else installed
//   pending   --install again by the booking system--> pending
//   pending   --approve, or an install by an operator--> installed
//   installed --install again--> installed
//   pending, installed --uninstall--> uninstalled

interface InstallCircumstances {
  readonly installs: Pool['installs'];
  readonly madeBy: 'booking-system' | 'operator';
  /** Whether the pool has another booking system, installed or pending. */
  readonly hasOthers: boolean;
}

/** Whether a new installation needs an operator's approval. */
export function isApprovalNeeded({ installs, madeBy, hasOthers }: InstallCircumstances): boolean {
  if (madeBy === 'operator' || installs === 'any') return false;
  return installs === 'approve' || hasOthers;
}

/** Whether a pool has another booking system, installed or pending. */
export async function hasOtherInstallations(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<boolean> {
  const { rows } = await sql`
select from installation where pool = ${pool} and booking_system <> ${bookingSystem} and status <> 'uninstalled'
limit 1`.execute(transaction);
  return rows.length > 0;
}

/** If a pool has no default booking system and exactly one installed, makes that one the default. */
export async function chooseDefault(transaction: DatabaseTransaction, pool: string): Promise<void> {
  await sql`
    update pool p set default_booking_system = one.booking_system
    from (select min(booking_system) as booking_system from installation
      where pool = ${pool} and status = 'installed' having count(*) = 1) one
    where p.id = ${pool} and p.default_booking_system is null`.execute(transaction);
}

/**
 * Approves a pending installation; an installed one stays unchanged.
 *
 * @returns false if the booking system is not installed
 */
export function approve(
  { database }: StoreContext,
  pool: string,
  bookingSystem: string,
  approvedBy: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockPool(transaction, pool);
    const installation = await lockInstallation(transaction, pool, bookingSystem);
    if (installation === undefined || installation.status === 'uninstalled') return false;
    if (installation.status === 'installed') return true;
    await transaction
      .updateTable('installation')
      .set({ status: 'installed', approvedBy, approvedAt: currentTime, updatedAt: currentTime })
      .where('pool', '=', pool)
      .where('bookingSystem', '=', bookingSystem)
      .execute();
    await chooseDefault(transaction, pool);
    await notify(transaction, 'due_webhooks');
    return true;
  });
}
