import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import { announceWithdrawal } from '../outbox/withdrawals.ts';

/** Which answers a destination was allowed, and which it is allowed now. */
export interface PermissionChange {
  readonly destination: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Counts it where a destination is allowed fewer answers than before: bodies that were made until now may hold more
 * than may leave, and each claim takes that out of them. To be called in the transaction that writes the list.
 *
 * @returns whether it is allowed fewer.
 */
export async function narrowPermission(
  transaction: DatabaseTransaction,
  { destination, before, after }: PermissionChange,
): Promise<boolean> {
  if (before.every((name) => after.includes(name))) return false;
  await sql`
    update destination set permission_version = permission_version + 1 where id = ${destination}`.execute(
    transaction,
  );
  await announceWithdrawal(transaction, { destination });
  return true;
}
