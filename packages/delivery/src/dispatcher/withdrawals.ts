import type { Withdrawal } from '@waiver-service/outbox';
import type { InFlightMessage } from './in-flight.ts';

/** Remembers which claimed messages must not be sent as they were claimed. */
export interface Withdrawals {
  /** `undefined` stands for everything claimed before. */
  add(withdrawal: Withdrawal | undefined): void;
  /** Whether part of a message was withdrawn after it was claimed, so that it must be claimed again. */
  concerns(flight: Pick<InFlightMessage, 'claimedAt' | 'message'>): boolean;
}

const maxRemembered = 200;

/** Remembers the last two hundred withdrawals one by one; older ones concern everything claimed before them. */
export function createWithdrawals(): Withdrawals {
  // Newest last.
  const remembered: { readonly at: number; readonly withdrawal: Withdrawal }[] = [];
  let allBefore = Number.NEGATIVE_INFINITY;
  return {
    add(withdrawal) {
      const at = performance.now();
      if (withdrawal === undefined) {
        allBefore = at;
        remembered.length = 0;
        return;
      }
      remembered.push({ at, withdrawal });
      if (remembered.length > maxRemembered) allBefore = remembered.shift()?.at ?? at;
    },
    concerns({ claimedAt, message }) {
      if (claimedAt <= allBefore) return true;
      for (let place = remembered.length - 1; place >= 0; place -= 1) {
        const known = remembered[place];
        if (known === undefined || known.at < claimedAt) return false;
        const { withdrawal } = known;
        if (
          'destination' in withdrawal
            ? withdrawal.destination === message.destination
            : withdrawal.waiverId === message.waiverId
        ) {
          return true;
        }
      }
      return false;
    },
  };
}
