import { BookingSystemTimeout, type FetchedBooking } from '@waiver-service/core';
import type { BookingLister, BookingListItem } from '@waiver-service/integration';
import bookeo from '@waiver-service/plugin-bookeo';
import standard from '@waiver-service/plugin-standard';
import type { PoolSetup } from '@waiver-service/store';
import { expect, test, vi } from 'vitest';
import type { Day } from '../src/day.ts';
import { DayRefresh } from '../src/refresh-day.ts';

const fetched: FetchedBooking = {
  form: 'native',
  booking: {
    id: 'B',
    status: 'Active',
    contact: { name: 'Ann' },
    pax: 1,
    guests: [],
    bookedSessions: [{ startsAt: '2027-06-12T08:00:00Z' }],
  },
  warnings: [],
};

/** A day of bookings, each named by its booking system and id; the last response of `old` is too old. */
const dayWith = (...names: readonly string[]): Day => ({
  pool: 'rafting',
  date: '2027-06-12',
  timeZone: 'UTC',
  from: new Date('2027-06-12T00:00:00Z'),
  until: new Date('2027-06-13T00:00:00Z'),
  walkIns: [],
  isCut: false,
  bookings: names.map((name) => {
    const [bookingSystem = '', bookingId = ''] = name.split(' ');
    return {
      bookingSystem,
      bookingId,
      booking: bookingId === 'old' ? undefined : fetched.booking,
      fetchedAt: undefined,
      isCancelled: false,
      sessions: [],
      guests: [],
      signed: 0,
      expected: 1,
    };
  }),
});

const setup: PoolSetup = {
  pool: 'rafting',
  prefillProperties: [],
  bookingSystems: ['bookeo', 'standard'],
  pendingBookingSystems: [],
  defaultBookingSystem: null,
  timeZone: 'UTC',
  versionOf: () => undefined,
};

/** A refresh of days of a pool with Bookeo, which lists bookings, and the standard booking system, which does not. */
function open(list: BookingLister['list'], day = dayWith()) {
  const begin = vi.fn(async (_day: unknown, names: readonly string[]) => names);
  const end = vi.fn(async (_of: unknown, _result: unknown) => {});
  const requestRefresh = vi.fn(async (_pool: string, _system: string, _ids: readonly string[]) => true);
  const error = vi.fn();
  const refresh = new DayRefresh(
    { bookings: { requestRefresh }, days: { readings: { of: async () => [], begin, end } } },
    { error },
    { manifests: () => [bookeo, standard] },
    { list },
    { read: async () => day },
  );
  return {
    begin,
    error,
    /** The results of a reading, by booking system, and the bookings to read again. */
    async read() {
      await refresh.read(setup, day.date);
      await expect.poll(() => end.mock.calls).toHaveLength(2);
      return {
        results: new Map(end.mock.calls.map(([of, result]) => [Object(of).bookingSystem, result])),
        asked: requestRefresh.mock.calls,
      };
    },
    refresh,
  };
}

const item = (bookingId: string): BookingListItem => ({ bookingId, fetched });
const nothing = { problem: undefined, unreadable: 0, isCut: false };

test('reads every page, and has bookings read again that are not listed any more, or are too old', async () => {
  const list = vi.fn(async ({ cursor }: { cursor?: string | undefined }) => ({
    bookingSystem: 'bookeo',
    items:
      cursor === undefined
        ? [item('b1')]
        : [item('b2'), { bookingId: 'b3', error: { code: 'x', message: '' } }],
    next: cursor === undefined ? 'more' : null,
  }));
  const { read } = open(list, dayWith('bookeo b1', 'bookeo moved', 'standard new', 'standard old'));
  const { results, asked } = await read();
  expect(list).toHaveBeenCalledTimes(2);
  expect(results.get('bookeo')).toEqual({ ...nothing, unreadable: 1 });
  expect(results.get('standard')).toEqual(nothing);
  expect(asked.toSorted()).toEqual([
    ['rafting', 'bookeo', ['moved']],
    ['rafting', 'standard', ['old']],
  ]);
});

test('reads at most 1,000 bookings, says so, and takes none for gone', async () => {
  let pages = 0;
  const { read } = open(async () => {
    pages += 1;
    return { bookingSystem: 'bookeo', items: [item(`b${pages}`)], next: 'more' };
  }, dayWith('bookeo b999'));
  const { results, asked } = await read();
  expect([pages, results.get('bookeo'), asked]).toEqual([10, { ...nothing, isCut: true }, []]);
});

test('notes why a booking system does not list, and logs a fault of the service', async () => {
  const failing = open(
    async () => {
      throw new BookingSystemTimeout('It did not answer.');
    },
    dayWith('bookeo b1', 'bookeo old'),
  );
  const { results, asked } = await failing.read();
  const problem = { code: 'booking_system_timeout', message: 'It did not answer.' };
  expect(results.get('bookeo')).toEqual({ ...nothing, problem });
  expect(asked).toEqual([['rafting', 'bookeo', ['old']]]);
  const broken = open(async () => {
    throw new TypeError('a fault');
  });
  await broken.refresh.read(setup, '2027-06-12');
  await expect.poll(() => broken.error.mock.calls).toHaveLength(1);
});

test('reads no day that is over for two days, and nothing once it is stopped', async () => {
  const list = async () => ({ bookingSystem: 'bookeo', items: [], next: null });
  const past = open(list, { ...dayWith(), until: new Date(Date.now() - 49 * 3_600_000) });
  const { sources } = await past.refresh.read(setup, '2027-06-12');
  expect(sources).toMatchObject([
    { displayName: 'Bookeo', lists: true, reading: undefined },
    { lists: false },
  ]);
  const stopped = open(list);
  await stopped.refresh.stop();
  await stopped.refresh.read(setup, '2027-06-12');
  for (const { begin } of [past, stopped]) expect(begin).not.toHaveBeenCalled();
});
