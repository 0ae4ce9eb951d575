import { rowsOf } from '@waiver-service/database';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import { type Notifications, notify } from '../outbox-context.ts';

/**
 * A reason to claim messages again before they are sent: a destination is allowed fewer answers, or answers of a waiver
 * were removed.
 */
export type Withdrawal = { readonly destination: string } | { readonly waiverId: string };

/** Notifies every listening host when the transaction commits. */
export async function announceWithdrawal(
  transaction: DatabaseTransaction,
  withdrawal: Withdrawal,
): Promise<void> {
  await notify(transaction, 'withdrawals', JSON.stringify(withdrawal));
}

/** Notifies the dispatchers of this process of a committed withdrawal, before the caller's promise resolves. */
export const dispatchWithdrawal = (notifications: Notifications, withdrawal: Withdrawal): void =>
  notifications.dispatch('withdrawals', JSON.stringify(withdrawal));

/** Parses a notification's payload; undefined if it names no withdrawal, so that it may be any. */
export function withdrawalOf(payload: string | undefined): Withdrawal | undefined {
  const parsed: unknown = JSON.parse(payload || 'null');
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  if ('destination' in parsed && typeof parsed.destination === 'string')
    return { destination: parsed.destination };
  if ('waiverId' in parsed && typeof parsed.waiverId === 'string') return { waiverId: parsed.waiverId };
  return undefined;
}

/** The answers that a destination was allowed before and is allowed now. */
interface PermissionChange {
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

/** Replaces the bodies of a pool's messages, from which answers were withdrawn. */
export async function replaceBodies(
  transaction: DatabaseTransaction,
  pool: string,
  bodies: readonly { readonly id: string; readonly body: string }[],
): Promise<void> {
  await sql`
    update delivery d set body = c.body from ${rowsOf(bodies, 'c', { id: 'uuid', body: 'text' })}
    where d.id = c.id and d.pool = ${pool}`.execute(transaction);
}
