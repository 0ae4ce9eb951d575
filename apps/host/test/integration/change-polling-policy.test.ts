import { expect, test } from 'vitest';
import { changesRetryMs, pollWaitMs } from '../../src/integration/change-polling.ts';

const plugin = (changes?: { readonly pollEveryMs?: number }) => ({
  capabilities: {
    forms: ['native' as const],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'none' as const,
    ...(changes && { changes }),
  },
});

test('a booking system is asked as often as its plugin says, or not by itself', () => {
  expect(pollWaitMs(plugin({ pollEveryMs: 300_000 }))).toBe(300_000);
  expect(pollWaitMs(plugin({}))).toBeNull();
});

test('after failures it is asked less and less often, down to once an hour', () => {
  const waits = (changes: { readonly pollEveryMs?: number }) =>
    [0, 1, 2, 3, 6, 99].map((failures) => changesRetryMs(plugin(changes), failures) / 60_000);
  expect(waits({ pollEveryMs: 300_000 })).toEqual([5, 10, 20, 40, 60, 60]);
  expect(waits({})).toEqual([1, 2, 4, 8, 60, 60]);
  // Never more often than usual.
  expect(waits({ pollEveryMs: 86_400_000 })).toEqual([1440, 1440, 1440, 1440, 1440, 1440]);
});
