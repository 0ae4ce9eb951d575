import type { RejectionRetry } from '@waiver-service/core';
import type { AttemptOutcome, ClaimedDelivery } from '@waiver-service/store';

/** What came of one try to send. */
export interface SendResult {
  readonly outcome: AttemptOutcome;
  readonly status?: number;
  /** One of core's `outboundErrorCodes`, where it is one of them. */
  readonly errorCode?: string;
  /** Milliseconds that a `Retry-After` asked for. */
  readonly retryAfterMs?: number;
  /** How often a refusal is worth another try. */
  readonly retry: RejectionRetry;
  /** The receiver says that it is gone: the destination is paused, nothing is lost. */
  readonly gone?: boolean;
  /** The first 4 KiB of the answer. */
  readonly response?: string;
  readonly durationMs: number;
}

/**
 * Sends one message. What went wrong is a result; a rejection is taken by {@link outcomeOf}. When the signal aborts,
 * the send is to end soon.
 */
export type Sender = (message: ClaimedDelivery, signal: AbortSignal) => Promise<SendResult>;
