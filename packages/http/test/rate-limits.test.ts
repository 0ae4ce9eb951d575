import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../src/app/create-app.ts';
import {
  countedAddress,
  createFailureThrottle,
  createRateLimit,
  maxDifferentKeys,
} from '../src/callers/rate-limits.ts';
import { nothingElse } from './nothing-else.ts';

const refusal = (seconds: number) =>
  expect.objectContaining({ status: 429, headers: { 'retry-after': String(seconds) } });

test('after ten failures with one key in a minute the eleventh is refused, until the minute is over', () => {
  let now = 0;
  const throttle = createFailureThrottle(10, () => now);
  const fail = (caller = 'a', key = 'k') => throttle.record({ caller, key });
  for (let failure = 0; failure < 10; failure += 1) fail();
  now = 30_500;
  expect(() => fail()).toThrow(refusal(30));
  fail('a', 'another');
  fail('b');
  now = 59_999;
  expect(() => fail()).toThrow(refusal(1));
  now = 60_000;
  fail();
});

test('beyond a hundred different keys every wrong one of the caller is refused, known or not', () => {
  const throttle = createFailureThrottle(10, () => 0);
  const fail = (key: number | undefined, caller = 'a') =>
    throttle.record({ caller, key: key === undefined ? undefined : String(key) });
  expect(maxDifferentKeys).toBe(100);
  fail(undefined);
  for (let key = 1; key < maxDifferentKeys; key += 1) fail(key);
  fail(7);
  expect(() => fail(maxDifferentKeys)).toThrow(refusal(60));
  expect(() => fail(7)).toThrow(refusal(60));
  expect(() => fail(undefined)).toThrow(refusal(60));
  fail(7, 'b');
});

test('many addresses do not fill the memory, and the newest are still counted', () => {
  const throttle = createFailureThrottle(1, () => 0);
  const fail = (caller: number) => throttle.record({ caller: String(caller), key: 'k' });
  for (let caller = 0; caller < 60_000; caller += 1) fail(caller);
  fail(0);
  expect(() => fail(59_999)).toThrow();
});

test('nor do many keys of many addresses', () => {
  const throttle = createFailureThrottle(1, () => 0);
  const fail = (caller: number, key: number) =>
    throttle.record({ caller: String(caller), key: `${caller} ${key}` });
  for (let caller = 0; caller < 600; caller += 1) {
    for (let key = 0; key < maxDifferentKeys; key += 1) fail(caller, key);
  }
  // 600 callers with 100 keys each are 60,600 entries, of which 50,000 are kept.
  fail(0, 0);
  expect(() => fail(599, 0)).toThrow();
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
])('%s is counted as %s', (address, counted) => {
  expect(countedAddress(address)).toBe(counted);
});

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
