import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/**
 * A reason to claim messages again before they are sent: a destination is allowed fewer answers, or answers of a waiver were
 * removed.
 */
export type Withdrawal = { readonly destination: string } | { readonly waiverId: string };

/** The channel that notifies hosts of withdrawals. */
export const withdrawalChannelName = 'waiver_service_withdrawals';

/** Notifies every listening host when the transaction commits. */
export async function announceWithdrawal(
  transaction: DatabaseTransaction,
  withdrawal: Withdrawal,
): Promise<void> {
  await sql`select pg_notify(${withdrawalChannelName}, ${JSON.stringify(withdrawal)})`.execute(transaction);
}

/** Parses an announcement; undefined if it cannot be read, which may mean any withdrawal. */
export function withdrawalOf(payload: string | undefined): Withdrawal | undefined {
  const said: unknown = JSON.parse(payload || 'null');
  if (typeof said !== 'object' || said === null) return undefined;
  if ('destination' in said && typeof said.destination === 'string') return { destination: said.destination };
  if ('waiverId' in said && typeof said.waiverId === 'string') return { waiverId: said.waiverId };
  return undefined;
}
