import { AsyncLocalStorage } from 'node:async_hooks';
import { openSigningStore } from '@waiver-service/signing/data';
import { noGuestMail } from '@waiver-service/signing/testing';
import type { Store } from '@waiver-service/store';
import { fetchedBooking, install, openTestStore, pruneRows } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dayBoardData } from '../../src/data/day-board-data.ts';
import { openDayStore } from '../../src/data/day-store.ts';
import { DayReader } from '../../src/refresh-day.ts';
import { largeDay, seedDay } from '../../src/testing/index.ts';

/** A store with signings, of which no guest is sent a copy. */
const withSignings = (store: Store) => openSigningStore(store, noGuestMail);

const day = '2026-05-01';
const of = { pool: 'p1', day };
const by = (name: string) => ({ id: `credential:${name}`, name });
const booking = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };

/** A store with a booking of the day. */
async function openDay() {
  const { store: shared, close, ...opened } = await openTestStore({ features: [dayBoardData] });
  onTestFinished(close);
  const store = openDayStore(withSignings(shared));
  await store.pools.put({ id: 'p1', name: 'One' });
  await install(store);
  await store.bookings.save({ ...booking, fetched: fetchedBooking() });
  return { ...opened, store, days: store.days };
}

const done = { problem: undefined, unreadable: 0, isCut: false };

test('a guest arrives once, by the first tick, until it is taken back; on another day, it is another arrival', async () => {
  const { days } = await openDay();
  const guests = ['guest:g1', 'waiver:w1'];
  expect(await days.arrivals.setOfBooking({ ...booking, day, guests }, true, by('Ann'))).toBe(true);
  expect(await days.arrivals.setOfBooking({ ...booking, day, guests }, true, by('Bob'))).toBe(true);
  const arrived = await days.arrivals.ofDay('p1', day);
  expect(
    arrived.map(({ guest, bookingId, arrivedBy }) => [guest, bookingId, arrivedBy.name]).toSorted(),
  ).toEqual([
    ['guest:g1', 'b1', 'Ann'],
    ['waiver:w1', '', 'Ann'],
  ]);
  expect(await days.arrivals.ofDay('p1', '2026-05-02')).toEqual([]);
  await days.arrivals.setOfBooking({ ...booking, day, guests: ['waiver:w1'] }, false, by('Ann'));
  expect((await days.arrivals.ofDay('p1', day)).map(({ guest }) => guest)).toEqual(['guest:g1']);
});

test('nothing is noted of a booking or a waiver that is not known', async () => {
  const { days } = await openDay();
  const unknown = { ...booking, bookingId: 'b9', day, guests: ['guest:g1'] };
  expect(await days.arrivals.setOfBooking(unknown, true, by('Ann'))).toBe(false);
  expect(await days.arrivals.setOfWaiver({ ...of, waiverId: 'w9' }, true, by('Ann'))).toBe(false);
  expect(await days.arrivals.ofDay('p1', day)).toEqual([]);
});

test('a day is read by one host at a time, and again after some minutes, or soon after a failure', async () => {
  const { days, query } = await openDay();
  const begun = await Promise.all([1, 2, 3].map(() => days.readings.begin(of, ['standard', 'bookeo'])));
  expect(begun.flat().toSorted()).toEqual(['bookeo', 'standard']);
  expect(await days.readings.of(of)).toMatchObject([
    { isUnderWay: true, isDue: false, readAt: null },
    { isUnderWay: true, isDue: false, readAt: null },
  ]);
  await days.readings.end({ ...of, bookingSystem: 'standard' }, { ...done, unreadable: 2, isCut: true });
  const problem = { code: 'booking_system_error', message: 'x'.repeat(600) };
  await days.readings.end({ ...of, bookingSystem: 'bookeo' }, { ...done, problem });
  const readings = new Map((await days.readings.of(of)).map((each) => [each.bookingSystem, each]));
  expect(readings.get('standard')).toMatchObject({
    isUnderWay: false,
    readAt: expect.any(Date),
    unreadable: 2,
    isCut: true,
    problem: undefined,
  });
  expect(readings.get('bookeo')).toMatchObject({ readAt: null, problem: { code: 'booking_system_error' } });
  expect(readings.get('bookeo')?.problem?.message).toHaveLength(500);
  await query("update day_reading set begun_at = begun_at - interval '1 minute'");
  expect(await days.readings.begin(of, ['standard', 'bookeo'])).toEqual(['bookeo']);
  await query("update day_reading set begun_at = begun_at - interval '3 minutes'");
  expect((await days.readings.begin(of, ['standard', 'bookeo'])).toSorted()).toEqual(['bookeo', 'standard']);
});

test('a host that waits for another one to begin does not begin, too', async () => {
  const { days, query } = await openDay();
  await days.readings.begin(of, ['standard']);
  await query("update day_reading set begun_at = begun_at - interval '1 hour'");
  await query('begin');
  await query('select from day_reading for update');
  const begun = days.readings.begin(of, ['standard']);
  await expect
    .poll(() => {
      // Otherwise a transaction sees the sessions as they were when it first looked.
      return query(`select pid from pg_stat_activity, pg_stat_clear_snapshot()
        where wait_event_type = 'Lock' and datname = current_database()`);
    })
    .toHaveLength(1);
  await query('update day_reading set begun_at = clock_timestamp()');
  await query('commit');
  expect(await begun).toEqual([]);
});

test('arrivals go after 30 days, readings after two, and both with their booking system', async () => {
  const { store, days, query, url } = await openDay();
  const arrive = (guest: string) =>
    days.arrivals.setOfBooking({ ...booking, day, guests: [guest] }, true, by('Ann'));
  await arrive('guest:old');
  await days.readings.begin(of, ['standard']);
  await query("update arrival set arrived_at = now() - interval '31 days'");
  await query("update day_reading set begun_at = now() - interval '49 hours'");
  await arrive('guest:new');
  expect(await pruneRows(url, [dayBoardData])).toBe(false);
  expect((await days.arrivals.ofDay('p1', day)).map(({ guest }) => guest)).toEqual(['guest:new']);
  expect(await days.readings.of(of)).toEqual([]);
  await days.readings.begin(of, ['standard']);
  await store.installations.uninstall({ bookingSystem: 'standard', pool: 'p1' });
  expect([await days.arrivals.ofDay('p1', day), await days.readings.of(of)]).toEqual([[], []]);
});

const busyDay = { ...largeDay, timeZone: 'Europe/Berlin' };

/** A day of a pool with so many bookings of seven guests, of whom six have signed, the first with a flag. */
async function openStoredDay(bookings: number) {
  const { store, query, close } = await openTestStore();
  onTestFinished(close);
  await store.pools.put({ id: busyDay.pool, name: 'Rafting' });
  await seedDay({ query }, bookings);
  return { store, reader: new DayReader(openDayStore(withSignings(store))) };
}

const openReader = async (bookings: number) => (await openStoredDay(bookings)).reader;

test('300 bookings of 2,100 guests take as many statements as three, but for one more of their waivers', async () => {
  const [few, many] = [await openReader(3), await openReader(300)];
  // Of this call only: background jobs have statements, too, and so has each new connection (`set_config`).
  const counter = new AsyncLocalStorage<{ statements: number }>();
  const { query } = Client.prototype;
  vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...parameters) {
    const count = counter.getStore();
    const [config]: readonly unknown[] = parameters;
    if (count !== undefined && !(typeof config === 'string' && config.startsWith('select set_config')))
      count.statements += 1;
    return Reflect.apply(query, this, parameters);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const read = (reader: typeof few) => {
    const count = { statements: 0 };
    return counter.run(count, async () => ({ ...(await reader.read(busyDay)), ...count }));
  };
  const ofFew = await read(few);
  expect([ofFew.bookings.length, ofFew.statements]).toEqual([3, 5]);
  const { bookings, statements } = await read(many);
  expect(statements).toBe(ofFew.statements + 1);
  expect(bookings).toHaveLength(300);
  const guests = bookings.flatMap((booking) => booking.guests);
  expect(guests.filter(({ state }) => state === 'signed')).toHaveLength(1_800);
  expect(guests.filter(({ flags }) => flags.length > 0)).toHaveLength(300);
});

test('calls for a day that come together share their statements, and see what changed before them', async () => {
  const reader = await openReader(3);
  const first = reader.read(busyDay);
  const others = Array.from({ length: 20 }, () => reader.read(busyDay));
  const days = await Promise.all([first, ...others]);
  // The first, and one that began after the others had come.
  expect(new Set(days).size).toBe(2);
  expect(await reader.read(busyDay)).toEqual(days[0]);
});

test('of more than 1,000 bookings, the first ones are read, and it is said that there are more', async () => {
  const reader = await openReader(1_001);
  const { bookings, isCut } = await reader.read(busyDay);
  expect([bookings.length, isCut]).toEqual([1_000, true]);
});

test('walk-ins who have signed are read before those who have only begun, however many there are', async () => {
  const { store, reader } = await openStoredDay(0);
  const walkIn = { pool: busyDay.pool, answers: { name: 'Ann' } };
  await Promise.all([
    ...Array.from({ length: 501 }, () =>
      store.waivers.create({
        ...walkIn,
        currentPage: 'page-2',
        lastVisit: new Date(`${busyDay.date}T08:00:00+02:00`),
      }),
    ),
    store.waivers.create({ ...walkIn, id: 'signed', lastVisit: new Date(`${busyDay.date}T18:00:00+02:00`) }),
  ]);
  const { walkIns, isCut } = await reader.read(busyDay);
  expect([walkIns.length, isCut]).toEqual([500, true]);
  // The earliest first.
  expect(walkIns.at(-1)).toMatchObject({ waiverId: 'signed', state: 'signed' });
});
