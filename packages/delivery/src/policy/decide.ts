import type { ClaimedDelivery, DecideLoss, DeliveryDecision } from '@waiver-service/outbox';
import type { SendResult, Untimed } from '../sending/send-result.ts';
import { faultWaitMs, retryWaitMs } from './retry-wait.ts';

/** When messages are retried, and destinations paused and probed. */
export interface DeliveryPolicy {
  /** Milliseconds to wait before each attempt, including the first: as many attempts as waits. */
  readonly retrySchedule: readonly number[];
  /** A destination that has only failed for this long is paused. */
  readonly pauseAfterMs: number;
  /** How often a paused destination is probed with one message. */
  readonly probeIntervalMs: number;
}

/** An attempt and its result. */
export interface Attempt {
  readonly message: Pick<ClaimedDelivery, 'attempts' | 'faults' | 'trigger'>;
  readonly result: Untimed<SendResult>;
  /** Whether the service aborted it: at a shutdown, or after losing the lease. */
  readonly givenUp: boolean;
}

/** The consequences of an attempt. */
export interface Verdict {
  readonly decision: DeliveryDecision;
  /** See `FinishedDelivery.inDoubt`. */
  readonly inDoubt: boolean | undefined;
}

const maxAttemptsOfRejectedBody = 3;

const maxReasonLength = 1_000;

const shownReason = (reason = 'the booking system has no place for anything of it') =>
  reason.slice(0, maxReasonLength);

/**
 * Decides about a message whose lease expired while it was being sent. Uses no attempt, but each lost lease in a row
 * waits longer, and after as many as the schedule has waits the message is a dead letter, so that nothing is sent
 * forever without a record.
 */
export const decideLoss =
  ({ retrySchedule }: Pick<DeliveryPolicy, 'retrySchedule'>): DecideLoss =>
  (lostBefore) => {
    const waitMs = retrySchedule[lostBefore];
    if (waitMs === undefined || lostBefore + 1 >= retrySchedule.length) return { kind: 'dead' };
    return { kind: 'retry', waitMs };
  };

/** Decides on the consequence of an attempt. `random` is from 0 to 1. */
export function decide(
  { message, result, givenUp }: Attempt,
  { retrySchedule }: Pick<DeliveryPolicy, 'retrySchedule'>,
  random: number,
): Verdict {
  if (result.outcome === 'accepted') return { decision: { kind: 'delivered' }, inDoubt: false };
  if (result.outcome === 'nothing-written') {
    return { decision: { kind: 'cancelled', reason: shownReason(result.reason) }, inDoubt: false };
  }
  if (result.outcome === 'own-fault') {
    const waitMs = givenUp ? 0 : faultWaitMs(message.faults, random);
    return { decision: { kind: 'release', waitMs }, inDoubt: undefined };
  }
  if (result.outcome === 'postponed') {
    const { waitMs, bookingId } = result;
    return { decision: { kind: 'release', waitMs, bookingId }, inDoubt: undefined };
  }
  const inDoubt = result.outcome === 'in-doubt';
  const { retry, retryAfterMs, status } = result;
  // Aborted by the service before a response: not the partner's fault.
  if (givenUp && status === undefined) {
    return { decision: { kind: 'release', waitMs: 0 }, inDoubt: inDoubt ? true : undefined };
  }
  if (retry === 'never') return { decision: { kind: 'dead' }, inDoubt };
  if (message.trigger === 'probe')
    return { decision: { kind: 'retry', waitMs: 0, usesAttempt: false }, inDoubt };
  const attempts = message.attempts + 1;
  const waitMs = retryWaitMs({ scheduleMs: retrySchedule, attempts, retryAfterMs, random });
  const isSpent = retry === 'three-attempts' && attempts >= maxAttemptsOfRejectedBody;
  if (isSpent || waitMs === undefined) return { decision: { kind: 'dead' }, inDoubt };
  return { decision: { kind: 'retry', waitMs, usesAttempt: true }, inDoubt };
}
