import type { ClaimedDelivery, FinishedDelivery } from '@waiver-service/outbox';
import type { HealthSign } from '../policy/destination-health.ts';

/** An attempt that has ended. */
export interface EndedAttempt extends HealthSign {
  /** Whether the destination was failing, so that a success changes its health. */
  readonly wasFailing: boolean;
  readonly finished: FinishedDelivery;
}

/*
 * The states of a message that this process has claimed:
 *
 *   queued     waits for a slot
 *   sending    holds a slot while it is being sent
 *   ended      was sent; its attempt is not yet recorded
 *   returning  goes back to the outbox unsent
 *
 *   claim → queued → sending → ended → gone, once its attempt is recorded
 *             └→ returning → gone, once the give-back is committed
 *
 * Only the delivery loop makes these transitions, except for `sending → ended`, which the send makes when it ends. When
 * another dispatcher has taken over, messages that are not being sent are removed at once, and the others when their
 * sends end; their attempts are not recorded.
 *
 * A message's lane is busy from the claim until the message is gone, which keeps the lane's messages in order and one
 * at a time. Freeing it before the database has committed would let a newer message pass.
 */

/** A message that this process has claimed, until it is recorded or given back. */
export interface InFlightMessage {
  readonly message: ClaimedDelivery;
  /** Whether it holds a slot that retries may use. */
  readonly isRetry: boolean;
  /** Whether its call may be slow, judged when it was claimed. */
  readonly isSlow: boolean;
  /** Shared by the messages of a claim. */
  readonly abort: AbortController;
  /** A time before the claim, by `performance.now()`. */
  readonly claimedAt: number;
  /** The latest time to begin, by `performance.now()`: its request was counted when it was claimed. */
  readonly beginBy: number;
  state: 'queued' | 'sending' | 'ended' | 'returning';
  /** Its position among everything in flight; -1 once it is gone. */
  place: number;
  /** Whether another dispatcher has taken it over. */
  isLost: boolean;
  attempt?: EndedAttempt;
}
