import type { RejectionRetry, Warning } from '@waiver-service/core';
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
  /** What of it was not written. */
  readonly warnings?: readonly Warning[];
  /** Why nothing was written, where nothing was. */
  readonly reason?: string;
  readonly durationMs: number;
}

/**
 * Sends one message. What went wrong is a result; a rejection is taken by {@link outcomeOf}. When the signal aborts,
 * the send is to end soon. One that makes several calls calls `checkLease` between them: it aborts the signal where
 * the lease is over and its timer has not yet come to it, because the process had stood still.
 */
export type Sender = (
  message: ClaimedDelivery,
  signal: AbortSignal,
  checkLease?: () => void,
) => Promise<SendResult>;
