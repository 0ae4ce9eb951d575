import { expect, test } from 'vitest';
import { isCancelled } from '../src/reading/booking-days.ts';

const booking = { id: 'b1', contact: { name: 'Ann' }, pax: 1, guests: [], bookedSessions: [] };

test.each([
  ['Cancelled', undefined, true],
  ['CANCELED', undefined, true],
  ['cancelled_by_guest', undefined, true],
  ['Active', undefined, false],
  ['Cancellation requested', undefined, false],
  ['Storniert', 'cancelled', true],
  // A plugin knows better than the word.
  ['Cancelled and rebooked', 'active', false],
] as const)('a booking with the status %s and the group %s', (status, statusGroup, expected) => {
  expect(isCancelled({ ...booking, status, ...(statusGroup && { statusGroup }) })).toBe(expected);
});
