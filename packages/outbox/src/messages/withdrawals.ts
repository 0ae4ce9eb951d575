import type { DatabaseTransaction } from '../data/tables.ts';
import { type Notifications, notify } from '../notifications.ts';

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
