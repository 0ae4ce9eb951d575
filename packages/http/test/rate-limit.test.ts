import { expect, test } from 'vitest';
import { createRateLimit } from '../src/app/address-budget.ts';

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
