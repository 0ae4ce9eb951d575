import { fetchedBooking, openTestStore, pruneRows } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { dayBoardData } from '../../src/data/day-board-data.ts';
import { openDayStore } from '../../src/data/day-store.ts';
import { withSignings } from '../setup/without-mail.ts';

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
  await store.installations.install({
    bookingSystem: 'standard',
    pool: 'p1',
    accountId: 'acc',
    apiKey: 'partner-key',
    information: {},
    writeUnit: 'waiver',
    guestId: 'booking-guest-id',
    takesGuestUpdates: true,
    keyOverlapMs: 0,
    madeBy: 'booking-system',
  });
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
