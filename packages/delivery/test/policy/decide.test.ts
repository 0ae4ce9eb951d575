import { maxRetryAfterMs } from '@waiver-service/outbound';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decide,
  decideLoss,
  faultWaitMs,
  type HealthSign,
  healthOf,
  holdsOf,
  retryWaitMs,
} from '../../src/policy/decide.ts';
import type { InDoubt, OwnFault, Refused, Untimed } from '../../src/sending/send-result.ts';

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
const messageAfter = (attempts: number, trigger: 'schedule' | 'probe' | 'manual' = 'schedule') => ({
  attempts,
  faults: 0,
  trigger,
});
const policy = { retrySchedule: schedule };

/** An unsuccessful result, with only its outcome and perhaps a status. */
function failed(
  outcome: 'refused' | 'in-doubt' | 'own-fault',
  status?: number,
): Untimed<Refused | InDoubt | OwnFault> {
  if (outcome === 'own-fault') return { outcome, error: new Error('ours') };
  const answered = status === undefined ? {} : { status };
  return outcome === 'refused'
    ? { outcome, retry: 'schedule', ...answered }
    : { outcome, retry: 'schedule', ...answered };
}

test('a wait is the schedule’s, a fifth more or less', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fraction, (attempts, random) => {
      const wait = retryWaitMs({ scheduleMs: schedule, attempts, random }) ?? -1;
      const planned = schedule[attempts] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(planned * 0.8 - 1e-6);
      expect(wait).toBeLessThanOrEqual(planned * 1.2 + 1e-6);
    }),
  );
});

test('chance moves a wait from a fifth less to a fifth more, to the millisecond', () => {
  const waits = [0, 0.25, 0.5, 1].map((random) => retryWaitMs({ scheduleMs: schedule, attempts: 1, random }));
  expect(waits).toEqual([4_000, 4_500, 5_000, 6_000]);
  expect(retryWaitMs({ scheduleMs: [0, 1_001], attempts: 1, random: 0 })).toBe(801);
  expect(retryWaitMs({ scheduleMs: schedule, attempts: 10, random: 0 })).toBeUndefined();
});

test('Retry-After lengthens a wait, to 24 hours at most, and never shortens one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fraction,
      fc.nat(10 * 86_400_000),
      (attempts, random, retryAfterMs) => {
        const without = retryWaitMs({ scheduleMs: schedule, attempts, random }) ?? -1;
        const wait = retryWaitMs({ scheduleMs: schedule, attempts, random, retryAfterMs }) ?? -1;
        expect(wait).toBe(Math.max(without, Math.min(retryAfterMs, maxRetryAfterMs)));
      },
    ),
  );
});

test('there are as many attempts as the schedule has waits, then it is a dead letter', () => {
  const result = { outcome: 'refused', retry: 'schedule' } as const;
  let attempts = 0;
  const kinds: string[] = [];
  for (let i = 0; i < schedule.length; i += 1) {
    const { decision } = decide({ message: messageAfter(attempts), result, givenUp: false }, policy, 0.5);
    kinds.push(decision.kind);
    attempts += 1;
  }
  expect(kinds).toEqual([...Array<string>(9).fill('retry'), 'dead']);
});

test('a rejected body is a dead letter after three attempts, one that can never be accepted at once', () => {
  const decisionOf = (attempts: number, retry: 'three-attempts' | 'never') =>
    decide(
      { message: messageAfter(attempts), result: { outcome: 'refused', retry, status: 422 }, givenUp: false },
      policy,
      0,
    ).decision.kind;
  expect([0, 1, 2].map((attempts) => decisionOf(attempts, 'three-attempts'))).toEqual([
    'retry',
    'retry',
    'dead',
  ]);
  expect(decisionOf(0, 'never')).toBe('dead');
});

test('only an answer with a status is a certain refusal', () => {
  const inDoubt = (outcome: 'refused' | 'in-doubt' | 'own-fault') =>
    decide({ message: messageAfter(0), result: failed(outcome), givenUp: false }, policy, 0).inDoubt;
  expect(inDoubt('in-doubt')).toBe(true);
  expect(inDoubt('refused')).toBe(false);
  expect(inDoubt('own-fault')).toBeUndefined();
});

test('neither a fault of the service, nor a probe, nor an aborted send uses an attempt', () => {
  const decision = (
    message: ReturnType<typeof messageAfter>,
    outcome: 'refused' | 'in-doubt' | 'own-fault',
    givenUp = false,
  ) => decide({ message, result: failed(outcome), givenUp }, policy, 0.5).decision;
  expect(decision(messageAfter(9), 'own-fault')).toEqual({ kind: 'release', waitMs: 5_000 });
  expect(decision(messageAfter(9, 'probe'), 'refused')).toEqual({
    kind: 'retry',
    waitMs: 0,
    usesAttempt: false,
  });
  expect(decision(messageAfter(9), 'in-doubt', true)).toEqual({ kind: 'release', waitMs: 0 });
  expect(decision(messageAfter(9), 'refused', true)).toEqual({ kind: 'release', waitMs: 0 });
});

test('an accepted message is delivered; one without a place there is cancelled with a reason', () => {
  const verdict = (outcome: 'accepted' | 'nothing-written', reason?: string) =>
    decide(
      {
        message: messageAfter(9, 'probe'),
        result:
          outcome === 'accepted' ? { outcome } : { outcome, ...(reason === undefined ? {} : { reason }) },
        givenUp: true,
      },
      policy,
      0,
    );
  expect(verdict('accepted')).toEqual({ decision: { kind: 'delivered' }, inDoubt: false });
  expect(verdict('nothing-written', 'it takes no voided waivers')).toEqual({
    decision: { kind: 'cancelled', reason: 'it takes no voided waivers' },
    inDoubt: false,
  });
  expect(verdict('nothing-written').decision).toMatchObject({
    reason: 'the booking system has no place for anything of it',
  });
  for (const length of [1_000, 1_001])
    expect(verdict('nothing-written', 'x'.repeat(length)).decision).toMatchObject({
      reason: 'x'.repeat(1_000),
    });
});

test('an aborted send is in doubt without a response, and counts by its response if there was one', () => {
  const verdict = (outcome: 'refused' | 'in-doubt' | 'own-fault', status?: number) =>
    decide(
      {
        message: messageAfter(0),
        result: failed(outcome, status),
        givenUp: true,
      },
      policy,
      0.5,
    );
  const released = { kind: 'release', waitMs: 0 };
  expect(verdict('in-doubt')).toEqual({ decision: released, inDoubt: true });
  expect(verdict('refused')).toEqual({ decision: released, inDoubt: undefined });
  expect(verdict('own-fault')).toEqual({ decision: released, inDoubt: undefined });
  const retried = { kind: 'retry', waitMs: 5_000, usesAttempt: true };
  expect(verdict('refused', 500)).toEqual({ decision: retried, inDoubt: false });
  expect(verdict('in-doubt', 200)).toEqual({ decision: retried, inDoubt: true });
});

test('a dead letter and a probe say too whether it may have arrived', () => {
  const inDoubt = (
    retry: 'never' | 'three-attempts' | 'schedule',
    trigger: 'probe' | 'schedule',
    attempts = 0,
  ) =>
    (['in-doubt', 'refused'] as const).map(
      (outcome) =>
        decide(
          { message: messageAfter(attempts, trigger), result: { outcome, retry }, givenUp: false },
          policy,
          0,
        ).inDoubt,
    );
  expect(inDoubt('never', 'schedule')).toEqual([true, false]);
  expect(inDoubt('schedule', 'probe')).toEqual([true, false]);
  expect(inDoubt('three-attempts', 'schedule', 2)).toEqual([true, false]);
  expect(inDoubt('schedule', 'schedule', 9)).toEqual([true, false]);
});

test('a retry waits as its schedule, its Retry-After and chance say', () => {
  const waitOf = (random: number, retryAfterMs?: number) => {
    const result = { outcome: 'refused', retry: 'schedule', status: 503 } as const;
    const { decision } = decide(
      {
        message: messageAfter(1, 'manual'),
        result: retryAfterMs === undefined ? result : { ...result, retryAfterMs },
        givenUp: false,
      },
      policy,
      random,
    );
    return decision;
  };
  expect(waitOf(0)).toEqual({ kind: 'retry', waitMs: 240_000, usesAttempt: true });
  expect(waitOf(1)).toEqual({ kind: 'retry', waitMs: 360_000, usesAttempt: true });
  expect(waitOf(0, 777_000)).toEqual({ kind: 'retry', waitMs: 777_000, usesAttempt: true });
});

test('the wait after faults of the service doubles with each one in a row, up to an hour', () => {
  expect([0, 1, 2, 9, 10, 5_000].map((faults) => faultWaitMs(faults, 0.5))).toEqual([
    5_000,
    10_000,
    20_000,
    2_560_000,
    hour,
    hour,
  ]);
  const result = failed('own-fault');
  expect(decide({ message: { ...messageAfter(0), faults: 2 }, result, givenUp: false }, policy, 0)).toEqual({
    decision: { kind: 'release', waitMs: 16_000 },
    inDoubt: undefined,
  });
});

test('waits after faults of the service grow, to an hour and a fifth at most', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fraction, (faults, random) => {
      const wait = faultWaitMs(faults, random);
      expect(wait).toBeGreaterThanOrEqual(4_000);
      expect(wait).toBeLessThanOrEqual(hour * 1.2);
      expect(faultWaitMs(faults + 1, random)).toBeGreaterThanOrEqual(wait);
    }),
  );
});

test('a message that loses its lease waits longer each time, and is a dead letter after as many losses as the schedule has waits', () => {
  const decided = [0, 1, 2, 3, 4].map(decideLoss({ retrySchedule: [0, 5_000, 300_000, 1_800_000] }));
  expect(decided).toEqual([
    { kind: 'retry', waitMs: 0 },
    { kind: 'retry', waitMs: 5_000 },
    { kind: 'retry', waitMs: 300_000 },
    { kind: 'dead' },
    { kind: 'dead' },
  ]);
});

test('a postponed message is sent after its wait: no attempt is used, and it stays in doubt if it was', () => {
  for (const trigger of ['schedule', 'probe', 'manual'] as const) {
    const verdict = decide(
      { message: messageAfter(9, trigger), result: { outcome: 'postponed', waitMs: 1_200 }, givenUp: false },
      policy,
      0.5,
    );
    expect(verdict).toEqual({ decision: { kind: 'release', waitMs: 1_200 }, inDoubt: undefined });
  }
});

const sign = (result: HealthSign['result'], destination = 'd'): HealthSign => ({ destination, result });
const accepted = sign({ outcome: 'accepted', status: 200 });
const ownFault = sign({ outcome: 'own-fault', error: new Error('ours') });
const refused = (status: number) => sign({ outcome: 'refused', retry: 'schedule', status });

test('failures are counted from the last success on', () => {
  expect(healthOf([refused(500), refused(500), accepted, refused(502), refused(503)])).toMatchObject([
    { destination: 'd', succeeded: true, failures: 2, lastStatus: 503, gone: false },
  ]);
  expect(healthOf([refused(500), accepted])).toMatchObject([{ succeeded: true, failures: 0 }]);
  expect(healthOf([refused(500)])).toMatchObject([{ succeeded: false, failures: 1 }]);
});

test('neither a fault of the service nor a waiver without a place there affects health', () => {
  expect(healthOf([ownFault, sign({ outcome: 'nothing-written' })])).toEqual([]);
  expect(healthOf([accepted, ownFault, sign({ outcome: 'nothing-written' })])).toEqual(healthOf([accepted]));
});

test('a call without an answer fails too, and its error is the last one known', () => {
  const timeout = sign({ outcome: 'in-doubt', retry: 'schedule', errorCode: 'timeout' });
  expect(healthOf([refused(500), timeout])).toEqual([
    {
      destination: 'd',
      succeeded: false,
      failures: 2,
      gone: false,
      lastErrorCode: 'timeout',
      lastStatus: undefined,
    },
  ]);
});

test('a receiver that once said it is gone stays gone', () => {
  const gone = sign({ outcome: 'refused', retry: 'schedule', status: 410, gone: true });
  expect(healthOf([gone, refused(500)])).toMatchObject([{ gone: true, lastStatus: 500 }]);
  expect(healthOf([refused(500), gone])).toMatchObject([{ gone: true }]);
  expect(healthOf([refused(410)])).toMatchObject([{ gone: false }]);
});

test('each destination has its own', () => {
  const other = sign({ outcome: 'refused', retry: 'schedule', status: 500 }, 'e');
  expect(healthOf([accepted, other, refused(503)])).toMatchObject([
    { destination: 'd', succeeded: true, failures: 1, lastStatus: 503 },
    { destination: 'e', succeeded: false, failures: 1, lastStatus: 500 },
  ]);
});

describe('the time to wait that an answer names', () => {
  const status = fc.constantFrom(200, 400, 404, 429, 500, 502, 503);
  const failure = {
    retry: fc.constant('schedule' as const),
    status,
    retryAfterMs: fc.integer({ min: 0, max: 3 * maxRetryAfterMs }),
  };
  const inDoubt = fc.record({ outcome: fc.constant('in-doubt' as const), ...failure });
  const refused = fc.record({
    outcome: fc.constant('refused' as const),
    ...failure,
    throttled: fc.boolean(),
  });
  const unexplained = fc.constant({ outcome: 'refused' as const, retry: 'schedule' as const });
  const sign: fc.Arbitrary<HealthSign> = fc.record({
    destination: fc.constantFrom('a', 'b'),
    result: fc.oneof(
      { weight: 1, arbitrary: fc.record({ outcome: fc.constant('accepted' as const), status }) },
      { weight: 1, arbitrary: fc.constant({ outcome: 'own-fault' as const, error: new Error('ours') }) },
      { weight: 1, arbitrary: inDoubt },
      { weight: 1, arbitrary: unexplained },
      { weight: 3, arbitrary: refused },
    ),
  });

  test('only a throttled message, or one refused by 429 or 503, with a time to wait holds its destination, for 24 hours at most', () => {
    fc.assert(
      fc.property(fc.array(sign), (signs) => {
        const expected = signs.flatMap(({ destination, result }) =>
          result.outcome === 'refused' &&
          (result.throttled === true || result.status === 429 || result.status === 503) &&
          result.retryAfterMs !== undefined &&
          result.retryAfterMs > 0
            ? [{ destination, holdMs: Math.min(result.retryAfterMs, 86_400_000) }]
            : [],
        );
        expect(holdsOf(signs)).toEqual(expected);
      }),
    );
  });
});
