import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import { announceWithdrawal } from '../messages/withdrawals.ts';

/** The answers that a destination was allowed before and is allowed now. */
export interface PermissionChange {
  readonly destination: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Raises the destination's permission version if it is allowed fewer answers than before: existing bodies may contain
 * more than may be sent, and each claim removes that. Call it in the transaction that writes the list.
 *
 * @returns whether fewer are allowed.
 */
export async function narrowPermission(
  transaction: DatabaseTransaction,
  { destination, before, after }: PermissionChange,
): Promise<boolean> {
  if (before.every((name) => after.includes(name))) return false;
  await transaction
    .updateTable('destination')
    .set({ permissionVersion: sql<number>`permission_version + 1` })
    .where('id', '=', destination)
    .execute();
  await announceWithdrawal(transaction, { destination });
  return true;
}
