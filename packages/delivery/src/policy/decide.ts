import { holdMsOf, maxRetryAfterMs } from '@waiver-service/outbound';
import type {
  ClaimedDelivery,
  DecideLoss,
  DeliveryDecision,
  DestinationHealth,
  DestinationHold,
} from '@waiver-service/outbox';
import type { SendResult, Untimed } from '../sending/send-result.ts';

const spread = 0.2;
const firstFaultWaitMs = 5_000;
const maxFaultWaitMs = 3_600_000;

/** Varies a wait by up to a fifth. `random` is from 0 to 1. */
const spreadOut = (waitMs: number, random: number) => Math.round(waitMs * (1 - spread + 2 * spread * random));

/** The inputs of {@link retryWaitMs}. */
interface RetryWait {
  /** The waits before each attempt, including the first. */
  readonly scheduleMs: readonly number[];
  /** The number of attempts used so far. */
  readonly attempts: number;
  readonly retryAfterMs?: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * Milliseconds until the next attempt; `undefined` if the schedule is used up. A `Retry-After` can make a wait longer,
 * up to 24 hours, but never shorter.
 */
export function retryWaitMs({
  scheduleMs,
  attempts,
  retryAfterMs = 0,
  random,
}: RetryWait): number | undefined {
  const wait = scheduleMs[attempts];
  if (wait === undefined) return undefined;
  return Math.max(spreadOut(wait, random), Math.min(retryAfterMs, maxRetryAfterMs));
}

/** Milliseconds to wait after a fault of the service: doubles with each one in a row, up to an hour. */
export function faultWaitMs(faultsBefore: number, random: number): number {
  return spreadOut(Math.min(firstFaultWaitMs * 2 ** faultsBefore, maxFaultWaitMs), random);
}

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

/** An attempt as a sign of its destination's health. */
export interface HealthSign {
  readonly destination: string;
  readonly result: Untimed<SendResult>;
}

/** Summarizes attempts by destination, in the order in which they ended. */
export function healthOf(signs: readonly HealthSign[]): DestinationHealth[] {
  const health = new Map<string, DestinationHealth>();
  for (const { destination, result } of signs) {
    // These are not calls that could have failed.
    if (result.outcome === 'own-fault' || result.outcome === 'nothing-written') continue;
    if (result.outcome === 'postponed') continue;
    const former = health.get(destination) ?? { destination, succeeded: false, failures: 0, gone: false };
    health.set(
      destination,
      result.outcome === 'accepted'
        ? { ...former, succeeded: true, failures: 0 }
        : {
            ...former,
            failures: former.failures + 1,
            lastErrorCode: result.errorCode,
            lastStatus: result.status,
            gone: former.gone || (result.outcome === 'refused' && result.gone === true),
          },
    );
  }
  return [...health.values()];
}

/** The holds requested by `Retry-After`, each for a whole destination. */
export function holdsOf(signs: readonly HealthSign[]): DestinationHold[] {
  return signs.flatMap(({ destination, result }) => {
    const holdMs = result.outcome === 'refused' ? holdMsOf(result) : 0;
    return holdMs > 0 ? [{ destination, holdMs }] : [];
  });
}
