import type { RequestLimits } from '@waiver-service/core';
import type { BudgetRequest, TakenRequests } from '@waiver-service/outbox';
import { afterEach, expect, test, vi } from 'vitest';
import { createRequestGate } from '../src/plugins/request-gate.ts';

const perMinute: RequestLimits = { per: 'installation', windows: [{ requests: 90, windowMs: 60_000 }] };
const perSecond: RequestLimits = { per: 'installation', windows: [{ requests: 90, windowMs: 1_000 }] };

afterEach(() => {
  vi.useRealTimers();
});

type Answer = Partial<TakenRequests> | undefined;

/** A gate over budgets that grant what is wanted, or what a test says. */
function gateOver(
  answer: (wanted: BudgetRequest) => Answer | Promise<Answer>,
  limits: RequestLimits = perMinute,
) {
  const asked: BudgetRequest[] = [];
  let takenMs = 0;
  const gate = createRequestGate({
    async take(wanted) {
      asked.push(wanted);
      takenMs += 1;
      const given = await answer(wanted);
      return given && { requests: wanted.requests, makeWithinMs: 3_000, waitMs: 0, takenMs, ...given };
    },
  });
  const enter = (
    given: {
      destination?: string;
      bookingSystem?: string;
      purpose?: 'read' | 'guest-update';
      deadlineIn?: number;
      signal?: AbortSignal;
    } = {},
  ) => {
    const { destination = 'd1', bookingSystem = 'acme', purpose = 'read', deadlineIn = 10_000 } = given;
    const { signal = new AbortController().signal } = given;
    const installation = { destination, bookingSystem, displayName: 'Acme', limits };
    return gate.enter(installation, { purpose, deadlineAt: performance.now() + deadlineIn, signal });
  };
  return { asked, enter };
}

test('requests of one booking, and those that come at once, share a statement', async () => {
  const { asked, enter } = gateOver(() => ({}));
  await enter();
  await enter();
  await Promise.all([enter(), enter()]);
  expect(asked.map(({ requests }) => requests)).toEqual([4]);
  await Promise.all([enter(), enter(), enter()]);
  expect(asked.map(({ requests }) => requests)).toEqual([4, 4]);
});

test('none is taken ahead of a window so short that it would rarely be used', async () => {
  const { asked, enter } = gateOver(() => ({}), perSecond);
  await enter();
  await enter();
  expect(asked.map(({ requests }) => requests)).toEqual([1, 1]);
});

test('requests taken ahead and not used in time are given back, once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { asked, enter } = gateOver(() => ({ makeWithinMs: 50 }));
  await enter();
  await vi.advanceTimersByTimeAsync(150);
  expect(asked).toEqual([
    { destination: 'd1', requests: 4, unused: undefined },
    { destination: 'd1', requests: 0, unused: expect.objectContaining({ takenMs: 1, requests: 3 }) },
  ]);
  await enter();
  expect(asked[2]).toMatchObject({ requests: 4, unused: undefined });
});

test('requests that arrive too late are given back, and taken again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const late = [60, 0];
  const { asked, enter } = gateOver(async () => {
    await new Promise((resolve) => setTimeout(resolve, late.shift()));
    return { makeWithinMs: 50 };
  });
  const entered = enter();
  await vi.advanceTimersByTimeAsync(100);
  await entered;
  expect(asked.slice(0, 2)).toMatchObject([{ requests: 4 }, { requests: 4, unused: { requests: 4 } }]);
});

test('waits in order for requests that are free within two seconds', async () => {
  const given = [{ requests: 1 }, { requests: 0, waitMs: 100 }, { requests: 1 }, {}];
  const { enter } = gateOver(() => given.shift() ?? {}, perSecond);
  const order: number[] = [];
  const started = performance.now();
  await Promise.all([1, 2, 3].map((place) => enter().then(() => order.push(place))));
  expect(order).toEqual([1, 2, 3]);
  expect(performance.now() - started).toBeGreaterThanOrEqual(99);
});

test('reads go before Guest Updates that wait, which have more patience', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const waits = [100, 3_000, 100];
  const { enter } = gateOver(() => {
    const waitMs = waits.shift();
    return waitMs === undefined ? { requests: 1 } : { requests: waitMs === 100 ? 0 : 1, waitMs };
  }, perSecond);
  const order: string[] = [];
  const update = enter({ purpose: 'guest-update' }).then(() => order.push('update'));
  const reads = [1, 2].map((place) =>
    enter().then(
      () => order.push(`read ${place}`),
      () => order.push(`no read ${place}`),
    ),
  );
  await vi.advanceTimersByTimeAsync(150);
  await Promise.all(reads);
  // At once: no time passes until it is told.
  await expect(enter()).rejects.toMatchObject({ notSent: true });
  await vi.advanceTimersByTimeAsync(4_000);
  await update;
  expect(order).toEqual(['read 1', 'no read 2', 'update']);
});

test('does not wait for longer than that, nor for longer than the call has: the error says so, and for how long', async () => {
  // No time passes: what waited would wait for good.
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { enter } = gateOver(() => ({ requests: 0, waitMs: 2_500 }));
  await expect(enter()).rejects.toMatchObject({
    code: 'booking_system_rate_limited',
    notSent: true,
    upstreamStatus: undefined,
    retryAfterMs: 2_500,
    message: expect.stringMatching(/^Acme was not asked: .*90 in 60 s.* Try again in 3 s$/),
  });
  const soon = gateOver(() => ({ requests: 0, waitMs: 1_000 }));
  await expect(soon.enter({ deadlineIn: 500 })).rejects.toMatchObject({ retryAfterMs: 1_000 });
});

test('a caller that gave up takes none of it', async () => {
  const given = [{ requests: 0, waitMs: 50 }, { requests: 1 }];
  const { enter, asked } = gateOver(() => given.shift() ?? {}, perSecond);
  const leaving = new AbortController();
  const left = expect(enter({ signal: leaving.signal })).rejects.toThrow('left');
  const stayed = enter();
  leaving.abort(new Error('left'));
  await Promise.all([left, stayed]);
  expect(asked).toHaveLength(2);
});

test('each installation has its own budget, unless the booking system counts them together', async () => {
  const own = gateOver(() => ({}));
  await Promise.all([own.enter({ destination: 'd1' }), own.enter({ destination: 'd2' })]);
  expect(own.asked.map(({ destination }) => destination)).toEqual(['d1', 'd2']);
  const shared = gateOver(() => ({}), { ...perMinute, per: 'booking-system' });
  await Promise.all([shared.enter({ destination: 'd1' }), shared.enter({ destination: 'd2' })]);
  await shared.enter({ destination: 'd3' });
  expect(shared.asked).toHaveLength(1);
});

test('lets everything go once there are no limits any more, and says what keeps it from counting', async () => {
  const lifted = gateOver(() => undefined);
  await Promise.all([lifted.enter(), lifted.enter()]);
  const away = gateOver(() => Promise.reject(new Error('database away')));
  await expect(away.enter()).rejects.toThrow('database away');
});
