import type { ClaimedDelivery, DecideLoss, DeliveryDecision } from '@waiver-service/store';
import type { SendResult, Untimed } from '../sending/send-result.ts';
import { faultWaitMs, retryWaitMs } from './retry-wait.ts';

/** When things are sent again, paused and probed. */
export interface DeliveryPolicy {
  /** Milliseconds to wait before each attempt, the first included: as many attempts as there are waits. */
  readonly retrySchedule: readonly number[];
  /** Failures only, for this long: the destination is paused. */
  readonly pauseAfterMs: number;
  /** A destination that failures have paused gets one message in this time, to see whether it is back. */
  readonly probeIntervalMs: number;
}

/** An attempt, and what is known of it. */
export interface Attempt {
  readonly message: Pick<ClaimedDelivery, 'attempts' | 'faults' | 'trigger'>;
  readonly result: Untimed<SendResult>;
  /** We ended it ourselves: a shutdown, or a lost lease. */
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
 * Decides about a message whose lease expired while it was being sent. No attempt is used; but each lease in a row
 * waits longer, and after as many as the schedule has waits it is a dead letter, so that nothing is sent for ever
 * without a record.
 */
export const decideLoss =
  ({ retrySchedule }: Pick<DeliveryPolicy, 'retrySchedule'>): DecideLoss =>
  (lostBefore) => {
    const waitMs = retrySchedule[lostBefore];
    if (waitMs === undefined || lostBefore + 1 >= retrySchedule.length) return { kind: 'dead' };
    return { kind: 'retry', waitMs };
  };

/** Decides what an attempt leads to. `random` is from 0 to 1. */
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
    return { decision: { kind: 'release', waitMs: result.waitMs }, inDoubt: undefined };
  }
  const inDoubt = result.outcome === 'in-doubt';
  const { retry, retryAfterMs, status } = result;
  // Ended by ourselves before an answer came: not the partner's doing.
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
