import type { ClaimedDelivery } from '@waiver-service/store';
import type { Flight } from '../../src/dispatcher/flights.ts';

export const claimed = (given: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  id: 'd1',
  kind: 'guest-webhook',
  pool: 'p1',
  destination: 't1',
  orderingKey: 'w1',
  leaseToken: 'token',
  waiverId: 'w1',
  version: 1,
  bookingId: null,
  body: '{"guest":{}}',
  attempts: 0,
  inDoubt: false,
  faults: 0,
  failing: false,
  trigger: 'schedule',
  ...given,
});

/** What was claimed just now and waits for a slot. */
export function flightOf(message: Partial<ClaimedDelivery> = {}): Flight {
  const now = performance.now();
  return {
    message: claimed(message),
    isRetry: false,
    isSlow: false,
    abort: new AbortController(),
    stage: 'waiting',
    claimedAt: now,
    leasedAt: now,
    beginBy: Number.POSITIVE_INFINITY,
  };
}
