import { expect, test } from 'vitest';
import { needsAttention, urgency, urgencyWithWaiting } from '../src/pages/operations/urgency.ts';

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
