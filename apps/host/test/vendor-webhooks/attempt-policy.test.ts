import { AuthenticationRejected, BookingSystemUnavailable, RateLimited } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { attemptWaitMs, isRemovalGivenUp } from '../../src/vendor-webhooks/webhook-keeper.ts';

const minute = 60_000;

test('attempts are made after 10 s, 1, 5 and 30 min, and each hour from then on', () => {
  const waits = [1, 2, 3, 4, 5, 500].map((attempts) => attemptWaitMs(attempts, new Error('x')));
  expect(waits).toEqual([10_000, minute, 5 * minute, 30 * minute, 60 * minute, 60 * minute]);
});

test('a vendor that asks for time gets it, a day at most', () => {
  const asked = (retryAfterMs: number) => new RateLimited('slow down', { retryAfterMs });
  expect(attemptWaitMs(1, asked(90_000))).toBe(90_000);
  expect(attemptWaitMs(1, asked(1_000))).toBe(10_000);
  expect(attemptWaitMs(1, asked(400 * 60 * minute))).toBe(24 * 60 * minute);
});

test('a removal is given up once the account is not accepted, or time is up', () => {
  const giveUpAt = new Date(1_000_000);
  const isDown = new BookingSystemUnavailable('down');
  expect(isRemovalGivenUp(isDown, 999_999, giveUpAt)).toBe(false);
  expect(isRemovalGivenUp(isDown, 1_000_001, giveUpAt)).toBe(true);
  expect(isRemovalGivenUp(new AuthenticationRejected('no'), 0, giveUpAt)).toBe(true);
  expect(isRemovalGivenUp(new Error('a fault of ours'), 0, giveUpAt)).toBe(false);
});
