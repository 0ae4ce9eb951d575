import type { ClaimedDelivery, DestinationWork } from '@waiver-service/outbox';
import type { InFlightMessage } from '../../src/dispatcher/in-flight.ts';

export const claimed = (given: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  id: 'd1',
  kind: 'guest-webhook',
  pool: 'p1',
  destination: 't1',
  orderingKey: 'w1',
  lane: 1,
  shard: 1,
  batch: 1,
  sequence: 1,
  rowId: '(0,1)',
  waiverId: 'w1',
  version: 1,
  bookingSystem: null,
  bookingId: null,
  body: '{"guest":{}}',
  attempts: 0,
  inDoubt: false,
  faults: 0,
  failing: false,
  trigger: 'schedule',
  ...given,
});

/** A message that was claimed just now and waits for a slot. */
export const queued = (message: Partial<ClaimedDelivery> = {}): InFlightMessage => ({
  message: claimed(message),
  isRetry: false,
  isSlow: false,
  abort: new AbortController(),
  state: 'queued',
  place: -1,
  isLost: false,
  claimedAt: performance.now(),
  beginBy: Number.POSITIVE_INFINITY,
});

/** A destination with messages of a first attempt. */
export const work = (destination: string, given: Partial<DestinationWork> = {}): DestinationWork => ({
  destination,
  pool: 'p1',
  fresh: true,
  retrying: false,
  limited: false,
  failing: false,
  ...given,
});
