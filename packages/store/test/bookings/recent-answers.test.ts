import type { FetchedBooking } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { RecentAnswers } from '../../src/bookings/booking-writer.ts';

const minuteMs = 60_000;

const fetchedWith = (pax: number): FetchedBooking => ({
  form: 'current',
  booking: { id: 'b1', status: 'confirmed', contact: { name: 'Ann' }, pax, guests: [], bookedSessions: [] },
  warnings: [],
});

function start() {
  let now = 0;
  const recent = new RecentAnswers(() => now);
  const bookingOf = (pax: number, bookingId: string, requestedAt?: number) => ({
    pool: 'p1',
    requestedAt,
    bookingSystem: 'standard',
    bookingId,
    fetched: fetchedWith(pax),
  });
  return {
    pass: (ms: number) => {
      now += ms;
    },
    begin: (pax: number, version = 'v1', bookingId = 'b1') => recent.note(bookingOf(pax, bookingId), version),
    /** Whether it had to be stored, and then was. */
    store(pax: number, version = 'v1', bookingId = 'b1') {
      const answer = recent.note(bookingOf(pax, bookingId), version);
      if (answer !== undefined) answer.isStored = true;
      return answer !== undefined;
    },
    /** Begins to store the answer of an earlier request. */
    beginLate: (pax: number, requestedAt: number) => recent.note(bookingOf(pax, 'b1', requestedAt), 'v1'),
    forget: () => recent.forget(bookingOf(0, 'b1')),
  };
}

test('an answer that has not changed is stored again only after ten minutes', () => {
  const { store, pass } = start();
  expect(store(2)).toBe(true);
  pass(9 * minuteMs);
  expect(store(2)).toBe(false);
  pass(2 * minuteMs);
  expect(store(2)).toBe(true);
});

test('an answer that has changed, or changes back, is stored each time', () => {
  const { store } = start();
  expect([2, 3, 2].map((pax) => store(pax))).toEqual([true, true, true]);
});

test('a response for another booking or configuration is stored, because an uninstall erases the former', () => {
  const { store } = start();
  expect([store(2), store(2, 'v1', 'b2'), store(2, 'v2')]).toEqual([true, true, true]);
});

test('responses that could not be stored, or are still being stored, do not count', () => {
  const { begin, store } = start();
  begin(2);
  expect(store(2)).toBe(true);
  const older = begin(3);
  begin(2);
  if (older !== undefined) older.isStored = true;
  expect(store(3)).toBe(true);
});

test('a response that was replaced meanwhile does not count', () => {
  const { store, forget } = start();
  store(2);
  forget();
  expect(store(2)).toBe(true);
});

test('the late answer of an earlier request takes no place of a later one’s, and is not stored after it', () => {
  const { begin, beginLate, store, pass } = start();
  pass(minuteMs);
  const newer = begin(3);
  const late = beginLate(2, 0);
  if (late !== undefined) late.isStored = true;
  if (newer !== undefined) newer.isStored = true;
  expect([late, beginLate(2, 0)]).toEqual([expect.anything(), undefined]);
  expect([store(3), store(2)]).toEqual([false, true]);
});
