import { maxRetryAfterMs } from '@waiver-service/outbound';

const spread = 0.2;
const firstFaultWaitMs = 5_000;
const maxFaultWaitMs = 3_600_000;

/** Varies a wait by up to a fifth. `random` is from 0 to 1. */
const spreadOut = (waitMs: number, random: number) => Math.round(waitMs * (1 - spread + 2 * spread * random));

/** The inputs of {@link retryWaitMs}. */
export interface RetryWait {
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
