import type { DestinationHold } from '@waiver-service/store';
import type { SendResult, Untimed } from '../sending/send-result.ts';
import { maxRetryAfterMs } from './retry-wait.ts';

/** An attempt whose response may ask to hold its destination. */
export interface HoldSign {
  readonly destination: string;
  readonly result: Untimed<SendResult>;
}

// Too many requests, and service unavailable: both concern the receiver as a whole, not one message.
const aboutTheReceiver = new Set([429, 503]);

/** The holds that attempts ask for by `Retry-After`, at most 24 hours, each for a destination as a whole. */
export function holdsOf(signs: readonly HoldSign[]): DestinationHold[] {
  return signs.flatMap(({ destination, result }) => {
    if (result.outcome !== 'refused') return [];
    const { status, retryAfterMs = 0, throttled = false } = result;
    const isAboutReceiver = throttled || (status !== undefined && aboutTheReceiver.has(status));
    if (!isAboutReceiver || retryAfterMs <= 0) return [];
    return [{ destination, holdMs: Math.min(retryAfterMs, maxRetryAfterMs) }];
  });
}
