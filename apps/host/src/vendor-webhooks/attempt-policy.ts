import { isBookingSystemError } from '@waiver-service/core';

const second = 1_000;
const minute = 60 * second;
const waitsMs = [10 * second, minute, 5 * minute, 30 * minute];
const longestWaitMs = 60 * minute;

/** How long after a success webhooks are checked again: a vendor removes those that failed too often. */
export const checkIntervalMs = 24 * 60 * minute;

/** How long after a failure, counted from 1, the next attempt is made. */
export function attemptWaitMs(attempts: number, error: unknown): number {
  const waitMs = waitsMs[attempts - 1] ?? longestWaitMs;
  const asked =
    isBookingSystemError(error) && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number'
      ? error.retryAfterMs
      : 0;
  return Math.max(waitMs, Math.min(asked, checkIntervalMs));
}

/** Whether a removal is given up: the account is no longer accepted, as after most uninstalls, or time is up. */
export function isRemovalGivenUp(error: unknown, nextAt: number, giveUpAt: Date): boolean {
  const isRefused = isBookingSystemError(error) && error.code === 'booking_system_auth_rejected';
  return isRefused || nextAt > giveUpAt.getTime();
}
