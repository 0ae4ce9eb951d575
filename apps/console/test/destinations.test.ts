import { expect, test } from 'vitest';
import { bucketsOf } from '../src/pages/destinations/health-buckets.ts';
import { needsAttention, urgency, urgencyWithWaiting } from '../src/pages/destinations/urgency.ts';

test('the parts of the time in which nothing was sent are there, up to now', () => {
  const health = {
    since: '2027-06-12T10:00:00.000Z',
    bucketMs: 3_600_000,
    items: [
      { destination: 'd1', buckets: [{ at: '2027-06-12T11:00:00.000Z', delivered: 5, failed: 2 }] },
      { destination: 'd2', buckets: [] },
    ],
    next: null,
  };
  const now = Date.parse('2027-06-12T12:30:00.000Z');
  expect(bucketsOf(health, 'd1', now)).toMatchObject({ delivered: [0, 5, 0], failed: [0, 2, 0] });
  expect(bucketsOf(health, 'd2', now)?.delivered).toEqual([0, 0, 0]);
  expect(bucketsOf(health, 'd3', now)).toBeUndefined();
});

test('a refused installation comes before a failing destination, and that before a paused one', () => {
  const signs = { status: 'active', consecutiveFailures: 0, waiting: 0 } as const;
  const inOrder: Parameters<typeof urgencyWithWaiting>[0][] = [
    { ...signs, installationStatus: 'needs_attention' },
    { ...signs, consecutiveFailures: 1 },
    { ...signs, status: 'paused' },
    { ...signs, installationStatus: 'pending' },
    { ...signs, waiting: 9 },
    signs,
  ];
  expect(
    inOrder.toReversed().toSorted((one, other) => urgencyWithWaiting(other) - urgencyWithWaiting(one)),
  ).toEqual(inOrder);
  expect(inOrder.map(needsAttention)).toEqual([true, true, true, true, false, false]);
});

test('messages that wait do not move a destination among those as urgent', () => {
  const idle = { status: 'active', consecutiveFailures: 3, waiting: 0 } as const;
  const busy = { ...idle, waiting: 9 };
  expect(urgency(busy)).toBe(urgency(idle));
  expect(urgencyWithWaiting(busy)).toBeGreaterThan(urgencyWithWaiting(idle));
});
