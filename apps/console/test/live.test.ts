import { expect, test, vi } from 'vitest';
import { createEventParser, type StreamEvent } from '../src/live/event-stream.ts';
import { createThrottle } from '../src/live/throttle.ts';
import { bucketsOf } from '../src/pages/destinations/health-buckets.ts';
import { needsAttention, urgency } from '../src/pages/destinations/urgency.ts';

test('events are read in whatever parts they come; comments are none', () => {
  const events: StreamEvent[] = [];
  const parse = createEventParser((event) => events.push(event));
  const text =
    'retry: 2000\n\n: \n\nevent: resync\ndata: {}\n\nevent: deliveries\ndata: {"items":[]}\n\nevent: re';
  for (const letter of text) parse(letter);
  expect(events).toEqual([
    { event: 'resync', data: {} },
    { event: 'deliveries', data: { items: [] } },
  ]);
});

test('work that is asked for again and again is done at once, and then now and then', () => {
  vi.useFakeTimers();
  const throttle = createThrottle(1_000);
  const work = vi.fn();
  const other = vi.fn();
  for (let times = 0; times < 5; times += 1) throttle.run('a', work);
  throttle.run('b', other);
  expect([work.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
  vi.advanceTimersByTime(1_000);
  expect([work.mock.calls.length, other.mock.calls.length]).toEqual([2, 1]);
  vi.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(2);
  throttle.run('a', work);
  throttle.run('a', work);
  throttle.clear();
  vi.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

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
  const inOrder: Parameters<typeof urgency>[0][] = [
    { ...signs, installationStatus: 'needs_attention' },
    { ...signs, consecutiveFailures: 1 },
    { ...signs, status: 'paused' },
    { ...signs, installationStatus: 'pending' },
    { ...signs, waiting: 9 },
    signs,
  ];
  expect(inOrder.toReversed().toSorted((one, other) => urgency(other) - urgency(one))).toEqual(inOrder);
  expect(inOrder.map(needsAttention)).toEqual([true, true, true, true, false, false]);
});
