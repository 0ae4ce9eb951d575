import type { Booking } from '@waiver-service/core';
import type { BookingWaiver } from '@waiver-service/store';
import { describe, expect, test } from 'vitest';
import { dayOf, periodOfDay, type StoredDay } from '../src/day.ts';

test.each([
  ['an ordinary day', '2027-06-12', 'Europe/Berlin', '2027-06-11T22:00:00Z', '2027-06-12T22:00:00Z'],
  ['a day of 23 hours', '2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z'],
  ['a day of 25 hours', '2027-10-31', 'Europe/Berlin', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z'],
  [
    'a day of 23.5 hours',
    '2027-10-03',
    'Australia/Lord_Howe',
    '2027-10-02T13:30:00Z',
    '2027-10-03T13:00:00Z',
  ],
  [
    'a day without midnight',
    '2018-11-04',
    'America/Sao_Paulo',
    '2018-11-04T03:00:00Z',
    '2018-11-05T02:00:00Z',
  ],
  [
    'a day with two midnights',
    '2026-11-01',
    'America/Havana',
    '2026-11-01T04:00:00Z',
    '2026-11-02T05:00:00Z',
  ],
  [
    'the last day of a year',
    '2027-12-31',
    'Pacific/Auckland',
    '2027-12-30T11:00:00Z',
    '2027-12-31T11:00:00Z',
  ],
])('%s', (_, date, timeZone, from, until) => {
  expect(periodOfDay(date, timeZone)).toEqual({ from: new Date(from), until: new Date(until) });
});

test('each day of a year begins as the one before ends', () => {
  let { until } = periodOfDay('2027-01-01', 'Africa/Casablanca');
  for (let time = Date.UTC(2027, 0, 2); time < Date.UTC(2028, 0, 1); time += 86_400_000) {
    const period = periodOfDay(new Date(time).toISOString().slice(0, 10), 'Africa/Casablanca');
    expect(period.from).toEqual(until);
    until = period.until;
  }
});

const session = (startsAt: string) => ({ startsAt, activityId: 'raft', activityName: 'Rafting' });

const booking = (change: Partial<Booking> = {}): Booking => ({
  id: 'B-1',
  status: 'Active',
  contact: { name: 'Ann Booker' },
  pax: 2,
  guests: [
    { id: 'g1', name: 'Ann' },
    { id: 'g2', name: 'Bob' },
  ],
  bookedSessions: [session('2027-06-12T09:00:00Z')],
  ...change,
});

const waiver = (id: string, change: Partial<BookingWaiver> = {}): BookingWaiver => ({
  id,
  bookingGuestId: null,
  currentPage: null,
  validUntil: null,
  lastVisitSource: 'session',
  name: null,
  ...change,
});

const by = { id: 'credential:1', name: 'Front desk' };
const arrivedAt = new Date('2027-06-12T08:00:00Z');
const at = { arrivedAt, arrivedBy: by };
const shown = { at: arrivedAt, by: by.name };

function stored(change: Partial<StoredDay> = {}): StoredDay {
  return {
    pool: 'rafting',
    date: '2027-06-12',
    timeZone: 'Europe/Berlin',
    from: new Date('2027-06-11T22:00:00Z'),
    until: new Date('2027-06-12T22:00:00Z'),
    bookings: [],
    walkIns: [],
    flags: new Map(),
    arrivals: [],
    isCut: false,
    ...change,
  };
}

const upcoming = (fetched: Booking | undefined, waivers: readonly BookingWaiver[] = []) => ({
  bookingSystem: 'standard',
  bookingId: 'B-1',
  firstStartsAt: new Date('2027-06-12T09:00:00Z'),
  stored:
    fetched === undefined
      ? undefined
      : { fetched: { form: 'current' as const, booking: fetched, warnings: [] }, fetchedAt: arrivedAt },
  waivers,
});

const only = (day: StoredDay) => {
  const [found] = dayOf(day).bookings;
  if (found === undefined) throw new Error('no booking');
  return found;
};

describe('the guests of a booking', () => {
  test('have signed, have begun, or are missing, with the flags of their answers', () => {
    const found = only(
      stored({
        bookings: [
          upcoming(booking(), [
            waiver('w1', { bookingGuestId: 'g1' }),
            waiver('w2', { bookingGuestId: 'g2', currentPage: 'medical' }),
          ]),
        ],
        flags: new Map([['w1', ['Asks for help with steps']]]),
      }),
    );
    expect(found).toMatchObject({ signed: 1, expected: 2 });
    expect(found.guests).toMatchObject([
      { key: 'guest:g1', name: 'Ann', waiverId: 'w1', state: 'signed', flags: ['Asks for help with steps'] },
      { key: 'guest:g2', name: 'Bob', waiverId: 'w2', state: 'begun', flags: [] },
    ]);
  });

  test('without ids are known by their places, and others who sign take the places without a name', () => {
    const unnamed = booking({ pax: 4, guests: [{ name: 'Ann' }] });
    const signed = waiver('w9', { name: 'Zoë Bäcker' });
    expect(only(stored({ bookings: [upcoming(unnamed, [signed])] })).guests).toMatchObject([
      { key: 'place:1', kind: 'listed', name: 'Ann', state: 'missing' },
      { key: 'waiver:w9', kind: 'extra', name: 'Zoë Bäcker', state: 'signed' },
      { key: 'place:3', kind: 'unnamed', state: 'missing' },
      { key: 'place:4', kind: 'unnamed', state: 'missing' },
    ]);
  });

  test('of a mistyped number of people are listed up to 5,000, so that the day can still be read', () => {
    const mistyped = booking({ pax: Number.MAX_SAFE_INTEGER, guests: [{ name: 'Ann' }] });
    const { guests, expected } = only(stored({ bookings: [upcoming(mistyped, [])] }));
    expect(guests).toHaveLength(5_001);
    expect(guests.at(-1)).toMatchObject({ key: 'place:5001', kind: 'unnamed' });
    expect(expected).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('who have gone from the booking stay as those who have signed for it', () => {
    const gone = waiver('w3', { bookingGuestId: 'g3', name: 'Cleo' });
    const second = waiver('w4', { bookingGuestId: 'g1' });
    const found = only(
      stored({ bookings: [upcoming(booking(), [waiver('w1', { bookingGuestId: 'g1' }), second, gone])] }),
    );
    expect(found.guests.map(({ key }) => key)).toEqual(['guest:g1', 'guest:g2', 'waiver:w3']);
    // Bob is missing.
    expect(found).toMatchObject({ signed: 1, expected: 2 });
  });

  test('who are not named count in the places without a name, once they have signed', () => {
    const others = ['w1', 'w2', 'w3'].map((id) => waiver(id));
    const begun = waiver('w4', { currentPage: 'medical' });
    const signed = (pax: number, waivers: readonly BookingWaiver[]) =>
      only(stored({ bookings: [upcoming(booking({ pax }), waivers)] })).signed;
    expect([2, 4, 6].map((pax) => signed(pax, others))).toEqual([0, 2, 3]);
    expect(signed(6, [begun])).toBe(0);
  });

  test('are missing if their waiver runs out before the last session, named or not, and it says until when it was valid', () => {
    const [named, other] = ['g1', null].map((bookingGuestId, index) =>
      waiver(`w${index}`, { bookingGuestId, name: 'Ann', validUntil: '2027-06-11' }),
    );
    const found = only(
      stored({
        bookings: [
          upcoming(
            booking(),
            [named, other].filter((one) => one !== undefined),
          ),
        ],
      }),
    );
    expect(found).toMatchObject({ signed: 0, expected: 2 });
    expect(found.guests).toMatchObject([
      { key: 'guest:g1', state: 'missing', waiverId: undefined, validUntil: '2027-06-11' },
      { key: 'guest:g2', state: 'missing' },
    ]);
  });

  test('have arrived by their own key, or by that of their waiver, wherever it was attached', () => {
    const { guests } = only(
      stored({
        bookings: [upcoming(booking(), [waiver('w1', { bookingGuestId: 'g1' })])],
        arrivals: [
          { bookingSystem: '', bookingId: '', guest: 'waiver:w1', ...at },
          { bookingSystem: 'standard', bookingId: 'B-2', guest: 'guest:g2', ...at },
        ],
      }),
    );
    expect(guests.map(({ arrival }) => arrival)).toEqual([shown, null]);
  });

  test('of one name and without ids have arrived each by the own place, and by the own waiver once one has signed', () => {
    const twice = booking({ guests: [{ name: 'Ann Lee' }, { name: 'ANN  LEE' }] });
    const ofPlace = { bookingSystem: 'standard', bookingId: 'B-1', guest: 'place:2' };
    const arrivedOf = (...waivers: BookingWaiver[]) =>
      only(stored({ bookings: [upcoming(twice, waivers)], arrivals: [{ ...ofPlace, ...at }] })).guests.map(
        ({ state, arrival }) => [state, arrival !== null],
      );
    expect(arrivedOf()).toEqual([
      ['missing', false],
      ['missing', true],
    ]);
    expect(arrivedOf(waiver('w1', { name: 'Ann Lee' }))).toEqual([
      ['signed', false],
      ['missing', true],
    ]);
    expect(arrivedOf(waiver('w1', { name: 'Ann Lee' }), waiver('w2', { name: 'Ann Lee' }))).toEqual([
      ['signed', false],
      ['signed', true],
    ]);
  });

  test('without names who were ticked have still arrived once they sign, in any number of the places', () => {
    const unnamed = booking({ pax: 3, guests: [] });
    const arrivals = [1, 2].map((place) => ({
      ...{ bookingSystem: 'standard', bookingId: 'B-1', guest: `place:${place}` },
      ...at,
    }));
    const arrived = (...ids: string[]) =>
      only(
        stored({
          bookings: [
            upcoming(
              unnamed,
              ids.map((id) => waiver(id)),
            ),
          ],
          arrivals,
        }),
      ).guests.map(({ key, placeKey, arrival }) => [key, placeKey, arrival !== null]);
    expect(arrived('w1')).toEqual([
      ['waiver:w1', 'place:1', true],
      ['place:2', undefined, true],
      ['place:3', undefined, false],
    ]);
    expect(arrived('w1', 'w2', 'w3', 'w4')).toEqual([
      ['waiver:w1', 'place:1', true],
      ['waiver:w2', 'place:2', true],
      ['waiver:w3', 'place:3', false],
      ['waiver:w4', undefined, false],
    ]);
  });

  test('are not known of a booking whose last response is too old: its waivers are', () => {
    const old = only(
      stored({ bookings: [upcoming(undefined, [waiver('w1', { bookingGuestId: 'g1', name: 'Ann' })])] }),
    );
    expect(old).toMatchObject({ booking: undefined, sessions: [{ startsAt: '2027-06-12T09:00:00.000Z' }] });
    expect(old.guests).toMatchObject([{ key: 'waiver:w1', kind: 'extra', name: 'Ann' }]);
  });
});

test('a booking has its sessions of the day only, and without one it is not on the day', () => {
  const twoDays = booking({
    bookedSessions: [
      session('2027-06-13T09:00:00Z'),
      session('2027-06-12T12:00:00Z'),
      session('2027-06-12T09:00:00Z'),
    ],
  });
  expect(only(stored({ bookings: [upcoming(twoDays)] })).sessions.map(({ startsAt }) => startsAt)).toEqual([
    '2027-06-12T09:00:00Z',
    '2027-06-12T12:00:00Z',
  ]);
  const around = booking({
    bookedSessions: [session('2027-06-11T09:00:00Z'), session('2027-06-13T09:00:00Z')],
  });
  expect(dayOf(stored({ bookings: [upcoming(around)] })).bookings).toEqual([]);
});

test('walk-ins are those who have signed without a booking', () => {
  const walkIn = { id: 'w1', name: 'Ida', currentPage: null, lastVisit: arrivedAt, signing: 's1' };
  const { walkIns } = dayOf(
    stored({
      walkIns: [walkIn, { ...walkIn, id: 'w2', currentPage: 'p2' }],
      arrivals: [{ bookingSystem: '', bookingId: '', guest: 'waiver:w1', ...at }],
    }),
  );
  expect(walkIns).toMatchObject([
    { key: 'waiver:w1', name: 'Ida', state: 'signed', signing: 's1', arrival: shown },
    { key: 'waiver:w2', state: 'begun', arrival: null },
  ]);
});
