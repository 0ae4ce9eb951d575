import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../src/policy/decide.ts';
import { faultWaitMs, longestRetryAfterMs, retryWaitMs } from '../../src/policy/retry-wait.ts';

const hour = 3_600_000;
const schedule = [
  0,
  5_000,
  300_000,
  1_800_000,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const tried = (attempts: number, trigger: 'schedule' | 'probe' | 'manual' = 'schedule') => ({
  attempts,
  faults: 0,
  trigger,
});
const policy = { retrySchedule: schedule };

test('a wait is the schedule’s, a fifth more or less', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fraction, (tries, random) => {
      const wait = retryWaitMs({ scheduleMs: schedule, tries, random }) ?? -1;
      const planned = schedule[tries] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(planned * 0.8 - 1e-6);
      expect(wait).toBeLessThanOrEqual(planned * 1.2 + 1e-6);
    }),
  );
});

test('Retry-After lengthens a wait, to 24 hours at most, and never shortens one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fraction,
      fc.nat(10 * 86_400_000),
      (tries, random, retryAfterMs) => {
        const without = retryWaitMs({ scheduleMs: schedule, tries, random }) ?? -1;
        const wait = retryWaitMs({ scheduleMs: schedule, tries, random, retryAfterMs }) ?? -1;
        expect(wait).toBe(Math.max(without, Math.min(retryAfterMs, longestRetryAfterMs)));
      },
    ),
  );
});

test('there are as many tries as the schedule has waits, then it is a dead letter', () => {
  const result = { outcome: 'refused', retry: 'schedule' } as const;
  let attempts = 0;
  const kinds: string[] = [];
  for (let i = 0; i < schedule.length; i += 1) {
    const { decision } = decide({ message: tried(attempts), result, givenUp: false }, policy, 0.5);
    kinds.push(decision.kind);
    attempts += 1;
  }
  expect(kinds).toEqual([...Array<string>(9).fill('retry'), 'dead']);
});

test('a refused body is a dead letter after three tries, one that can never be taken at once', () => {
  const decisionOf = (attempts: number, retry: 'three-tries' | 'never') =>
    decide(
      { message: tried(attempts), result: { outcome: 'refused', retry, status: 422 }, givenUp: false },
      policy,
      0,
    ).decision.kind;
  expect([0, 1, 2].map((attempts) => decisionOf(attempts, 'three-tries'))).toEqual([
    'retry',
    'retry',
    'dead',
  ]);
  expect(decisionOf(0, 'never')).toBe('dead');
});

test('only an answer with a status is a certain refusal', () => {
  const inDoubt = (outcome: 'refused' | 'in-doubt' | 'own-fault') =>
    decide({ message: tried(0), result: { outcome, retry: 'schedule' }, givenUp: false }, policy, 0).inDoubt;
  expect(inDoubt('in-doubt')).toBe(true);
  expect(inDoubt('refused')).toBe(false);
  expect(inDoubt('own-fault')).toBeUndefined();
});

test('neither a fault of ours, nor a probe, nor what we gave up ourselves uses a try', () => {
  const decision = (
    message: ReturnType<typeof tried>,
    outcome: 'refused' | 'in-doubt' | 'own-fault',
    givenUp = false,
  ) => decide({ message, result: { outcome, retry: 'schedule' }, givenUp }, policy, 0.5).decision;
  expect(decision(tried(9), 'own-fault')).toEqual({ kind: 'release', waitMs: 5_000 });
  expect(decision(tried(9, 'probe'), 'refused')).toEqual({ kind: 'retry', waitMs: 0, usesTry: false });
  expect(decision(tried(9), 'in-doubt', true)).toEqual({ kind: 'release', waitMs: 0 });
  expect(decision(tried(9), 'refused', true)).toEqual({ kind: 'release', waitMs: 0 });
});

test('faults of ours in a row are waited out longer and longer, never more than an hour and a fifth', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fraction, (faults, random) => {
      const wait = faultWaitMs(faults, random);
      expect(wait).toBeGreaterThanOrEqual(4_000);
      expect(wait).toBeLessThanOrEqual(hour * 1.2);
      expect(faultWaitMs(faults + 1, random)).toBeGreaterThanOrEqual(wait);
    }),
  );
});
