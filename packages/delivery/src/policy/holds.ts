import type { DestinationHold } from '@waiver-service/store';
import type { SendResult, Untimed } from '../sending/send-result.ts';
import { maxRetryAfterMs } from './retry-wait.ts';

/** An attempt as far as it may hold its destination. */
export interface HoldSign {
  readonly destination: string;
  readonly result: Untimed<SendResult>;
}

// Too many requests, and out of service: what these ask for is about the receiver, not about one message.
const aboutTheReceiver = new Set([429, 503]);

/** The holds that attempts ask for: a `Retry-After` of 24 hours at most, for its destination as a whole. */
export function holdsOf(signs: readonly HoldSign[]): DestinationHold[] {
  return signs.flatMap(({ destination, result }) => {
    if (result.outcome !== 'refused') return [];
    const { status, retryAfterMs = 0 } = result;
    if (status === undefined || !aboutTheReceiver.has(status) || retryAfterMs <= 0) return [];
    return [{ destination, holdMs: Math.min(retryAfterMs, maxRetryAfterMs) }];
  });
}
