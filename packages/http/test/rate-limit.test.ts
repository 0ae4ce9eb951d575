import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../src/app/create-app.ts';
import { createFailureThrottle, createRateLimit } from '../src/callers/rate-limits.ts';
import { nothingElse } from './nothing-else.ts';

test('what a key takes is counted until its time is over', () => {
  let now = 0;
  const limit = createRateLimit({ max: 2, windowMs: 1_000 }, () => now);
  limit.take('a', 1);
  now = 400;
  limit.take('a', 1);
  expect([limit.waitMs('a', 1), limit.waitMs('b', 1), limit.waitMs('b', 3)]).toEqual([600, 0, 1_000]);
  now = 1_000;
  expect(limit.waitMs('a', 2)).toBe(0);
});

test('a host’s clock that is set back keeps nobody out for longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createRateLimit({ max: 1, windowMs: 60_000 });
  limit.take('a', 1);
  const throttle = createFailureThrottle(1);
  const fail = () => throttle.record({ caller: 'a', key: 'k' });
  fail();
  const app = createApp({ logger: pino({ level: 'silent' }), trustProxy: false, ...nothingElse });
  onTestFinished(() => app.close());
  let answer = await app.inject('/nowhere');
  while (answer.statusCode !== 429) answer = await app.inject('/nowhere');

  vi.setSystemTime(Date.now() - 3_600_000);
  const inAMinute = (seconds: unknown) => expect(Number(seconds)).toBeLessThanOrEqual(60);
  inAMinute(limit.waitMs('a', 1) / 1_000);
  expect(fail).toThrow(
    expect.objectContaining({ headers: { 'retry-after': expect.stringMatching(/^(60|[1-5]?\d)$/) } }),
  );
  const { statusCode, headers } = await app.inject('/nowhere');
  expect(statusCode).toBe(429);
  inAMinute(headers['retry-after']);
});
