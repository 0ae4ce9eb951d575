import type { Withdrawal } from '@waiver-service/store';
import type { InFlightMessage } from './in-flight.ts';

/** Remembers what may no longer leave as it was claimed. */
export interface Withdrawals {
  /** `undefined`: everything that was claimed before. */
  add(withdrawal: Withdrawal | undefined): void;
  /** Whether a message was claimed before something of it was withdrawn: it has to be claimed anew. */
  concerns(flight: Pick<InFlightMessage, 'claimedAt' | 'message'>): boolean;
}

const maxRemembered = 200;

/** Makes a memory of withdrawals: two hundred one by one, those before all together. */
export function createWithdrawals(): Withdrawals {
  // The newest last.
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
