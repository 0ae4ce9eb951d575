import { expect, test } from 'vitest';
import type { Day, DayBooking } from '../src/api/resources.ts';
import { keysOfGuest, keysOfTick, withTicks } from '../src/pages/day-board/ticks.ts';

const booking: DayBooking = {
  bookingSystem: 'standard',
  bookingId: 'B',
  reference: 'B',
  status: 'Active',
  statusGroup: null,
  isCancelled: false,
  booker: 'Ann',
  notes: null,
  sessions: [],
  guests: [{ key: 'guest:g1', kind: 'listed', name: 'Ann', state: 'missing', flags: [], arrival: null }],
  signed: 0,
  expected: 1,
  arrived: 0,
  fetchedAt: null,
};
const dayOf = (bookings: DayBooking[]): Day => ({
  pool: 'p',
  date: '2027-06-12',
  timeZone: 'UTC',
  today: '2027-06-12',
  hasForm: true,
  counts: { bookings: 1, guests: 1, signed: 0, missing: 1, arrived: 0 },
  groups: [],
  bookings,
  walkIns: [],
  isCut: false,
  sources: [],
});
const tick = { pool: 'p', date: '2027-06-12', booking, keys: ['guest:g1'], arrived: true };
const ticks = new Map(keysOfTick(tick).map((key) => [key, true]));

test('a tick shows before the host has stored it, and counts', () => {
  const day = withTicks(dayOf([booking]), ticks, '2027-06-12T08:00:00Z');
  expect(day.bookings[0]).toMatchObject({
    arrived: 1,
    guests: [{ arrival: { at: '2027-06-12T08:00:00Z' } }],
  });
  expect(day.counts.arrived).toBe(1);
});

test('a tick shows on its own day and in its own pool only', () => {
  const day = dayOf([booking]);
  for (const other of [
    { ...day, date: '2027-06-13' },
    { ...day, pool: 'q' },
  ])
    expect(withTicks(other, ticks).counts.arrived).toBe(0);
});

test('a tick is taken back under each key by which the guest may have been ticked', () => {
  expect(keysOfGuest({ key: 'guest:g1' })).toEqual(['guest:g1']);
  expect(keysOfGuest({ key: 'guest:g1', waiverId: 'w1' })).toEqual(['guest:g1', 'waiver:w1']);
  expect(keysOfGuest({ key: 'waiver:w1', waiverId: 'w1', placeKey: 'place:2' })).toEqual([
    'waiver:w1',
    'place:2',
  ]);
});

test('the guests of a cancelled booking do not count, however its booking system says so', () => {
  const cancelled = { ...booking, status: 'Cancelled', isCancelled: true };
  expect(withTicks(dayOf([cancelled]), ticks).counts.arrived).toBe(0);
});
