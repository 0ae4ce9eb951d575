import { bookeoBooking, startBookeo } from '@waiver-service/plugin-bookeo/simulator';
import { accountKey, publishForm, startSystemFor, textAt, until } from '@waiver-service/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { startDayHost } from '../setup/day-host.ts';

const keys = { apiKey: accountKey, secretKey: 'application-key' };
const day = '/v1/admin/pools/canyons/days/2027-06-12';

const host = await startDayHost();
const system = await startSystemFor('standard');
const bookeo = await startBookeo({
  ...keys,
  bookings: [
    ...[1, 2, 3].map((number) => ({ ...bookeoBooking, bookingNumber: `1${number}` })),
    { ...bookeoBooking, bookingNumber: '20', canceled: true },
    { ...bookeoBooking, bookingNumber: '30', startTime: '2027-06-13T09:30:00+02:00' },
    { ...bookeoBooking, bookingNumber: '40', customerId: 'gone' },
    // The evening before in UTC, and the first minute of the day where the pool is.
    { ...bookeoBooking, bookingNumber: '50', startTime: '2027-06-12T00:01:00+02:00' },
  ],
});
afterAll(() => Promise.all([host.close(), bookeo.close(), system.close()]));
const app = await host.makePool('canyons', { timeZone: 'Europe/Vienna' });
await host.admin('PUT', '/v1/admin/booking-systems/bookeo', {
  baseUrl: bookeo.url,
  settings: { secretKey: keys.secretKey },
});
await host.admin('PUT', '/v1/admin/pools/canyons/installations/bookeo', {
  accountId: 1,
  apiKey: accountKey,
});
await host.connect('standard', system, 'canyons');

const source = (body: { sources: { bookingSystem: string }[] }, name: string) =>
  body.sources.find(({ bookingSystem }) => bookingSystem === name);

/** The day, once its bookings were listed and stored. */
const listed = (path = day, bookings = 5) =>
  until(async () => {
    const { body } = await host.admin('GET', path);
    const isRead = body.sources.every(({ isReading }: { isReading: boolean }) => !isReading);
    return isRead && body.bookings.length === bookings ? body : undefined;
  }, 'a day that was read');

describe('the day board', () => {
  test('answers at once, and lists the bookings of the day meanwhile', async () => {
    const { status, body } = await host.admin('GET', day);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      date: '2027-06-12',
      timeZone: 'Europe/Vienna',
      hasForm: false,
      bookings: [],
    });
    expect(source(body, 'bookeo')).toMatchObject({ lists: true, readAt: null, isReading: true });
    const read = await listed();
    expect(read.bookings.map(({ bookingId }: { bookingId: string }) => bookingId)).toEqual([
      '50',
      '11',
      '12',
      '13',
      '20',
    ]);
    expect(source(read, 'bookeo')).toMatchObject({
      displayName: 'Bookeo',
      readAt: expect.any(String),
      problem: null,
      unreadable: 1,
      isCut: false,
    });
    expect(source(read, 'standard')).toMatchObject({ lists: false, readAt: null, problem: null });
  });

  test('groups bookings by start and activity, and counts without cancelled ones', async () => {
    const { groups, counts, bookings } = await listed();
    expect(groups).toMatchObject([
      { startsAt: '2027-06-11T22:01:00Z', activityName: 'Canyoning half day', bookings: [0] },
      { startsAt: '2027-06-12T07:30:00Z', activityName: 'Canyoning half day', bookings: [1, 2, 3, 4] },
    ]);
    expect(bookings[3]).toMatchObject({ bookingId: '13', isCancelled: false });
    expect(bookings[4]).toMatchObject({ bookingId: '20', isCancelled: true });
    expect(counts).toEqual({ bookings: 4, guests: 12, signed: 0, missing: 12, arrived: 0 });
  });

  test('is read from the booking system once for all who look within some minutes', async () => {
    await listed();
    const before = bookeo.received.length;
    await Promise.all(Array.from({ length: 10 }, () => host.admin('GET', day)));
    expect(bookeo.received.length).toBe(before);
  });

  test('shows who has signed, who has begun, and who signed without being named or without a booking', async () => {
    await listed();
    const { bookings } = await listed();
    const { guests } = bookings[1];
    const named = { bookingSystem: 'bookeo', bookingId: '11', bookingGuestId: guests[0].bookingGuestId };
    await app('POST', '/v1/pools/canyons/waivers', { ...named, answers: { name: 'Zoë' } });
    const begun = { bookingSystem: 'bookeo', bookingId: '12', currentPage: 'medical' };
    await app('POST', '/v1/pools/canyons/waivers', { ...begun, answers: { name: 'Somebody' } });
    const walkIn = { lastVisit: '2027-06-12T10:00:00Z', answers: { name: 'Walter' } };
    await app('POST', '/v1/pools/canyons/waivers', walkIn);
    const { body } = await host.admin('GET', day);
    expect(body.bookings[1]).toMatchObject({ signed: 1, expected: 3, booker: 'Zoë Bäcker' });
    expect(body.bookings[1].guests[0]).toMatchObject({ kind: 'listed', state: 'signed', flags: [] });
    expect(body.bookings[2].guests).toContainEqual(
      expect.objectContaining({ kind: 'extra', state: 'begun', name: 'Somebody' }),
    );
    expect(body.walkIns).toMatchObject([{ name: 'Walter', state: 'signed', signing: null }]);
    expect(body.counts).toMatchObject({ guests: 13, signed: 2, missing: 11 });
  });

  test('refuses to attach a waiver to a booking that was cancelled', async () => {
    const { body } = await app('POST', '/v1/pools/canyons/waivers', { id: 'W-1', answers: { name: 'Ann' } });
    const place = `/v1/admin/pools/canyons/waivers/${textAt(body, 'id')}/booking`;
    const refused = await host.admin('PUT', place, { bookingSystem: 'bookeo', bookingId: '20' });
    expect([refused.status, refused.body.code]).toEqual([409, 'booking_cancelled']);
  });

  test('says that the pool has a form, once one is published', async () => {
    await publishForm(host, 'canyons');
    expect((await host.admin('GET', day)).body.hasForm).toBe(true);
  });

  test('says why a booking system does not list, and shows what is stored', async () => {
    bookeo.faults.always('list', { kind: 'status', status: 503 });
    const { sources, bookings } = await listed('/v1/admin/pools/canyons/days/2027-06-13', 0);
    expect(source({ sources }, 'bookeo')).toMatchObject({
      problem: { code: 'booking_system_error', message: expect.stringContaining('503') },
      readAt: null,
    });
    expect(bookings).toEqual([]);
  });
});

test.each(['2027-02-29', '2027-6-12', '1969-12-31', '2200-01-01', 'today'])(
  '400 for the day %s',
  async (date) => {
    const { status, body } = await host.admin('GET', `/v1/admin/pools/canyons/days/${date}`);
    expect([status, body.errors?.[0].path]).toEqual([400, 'date']);
  },
);
