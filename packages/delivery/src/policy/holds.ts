import type { DestinationHold } from '@waiver-service/store';
import type { SendResult } from '../sending/send-result.ts';
import { longestRetryAfterMs } from './retry-wait.ts';

/** A try as far as it may hold its destination. */
export interface HoldSign {
  readonly destination: string;
  readonly result: Pick<SendResult, 'outcome' | 'status' | 'retryAfterMs'>;
}

// Too many requests, and out of service: what these ask for is about the receiver, not about one message.
const aboutTheReceiver = new Set([429, 503]);

/** The holds that tries ask for: a `Retry-After` of 24 hours at most, for its destination as a whole. */
export function holdsOf(signs: readonly HoldSign[]): DestinationHold[] {
  return signs.flatMap(({ destination, result: { outcome, status, retryAfterMs = 0 } }) =>
    outcome === 'refused' && status !== undefined && aboutTheReceiver.has(status) && retryAfterMs > 0
      ? [{ destination, holdMs: Math.min(retryAfterMs, longestRetryAfterMs) }]
      : [],
  );
}
