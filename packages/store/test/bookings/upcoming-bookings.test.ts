import { expect, test } from 'vitest';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import { pruneRows } from '../../src/testing/pruning.ts';
import { openInstalledStore } from '../setup/installed-store.ts';

const session = (startsAt: string) => ({ startsAt, activityId: 'raft', activityName: 'Rafting' });
const read = (bookingId: string, ...starts: string[]) => ({
  pool: 'p1',
  bookingSystem: 'standard',
  bookingId,
  fetched: fetchedBooking({ bookedSessions: starts.map(session) }),
});
const day = { pool: 'p1', from: new Date('2030-06-01T00:00:00Z'), until: new Date('2030-06-02T00:00:00Z') };

test('the bookings of a day are listed in the order of their sessions, page by page, wherever a booking was moved', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.save(read('noon', '2030-06-01T12:00:00Z'));
  await store.bookings.save(read('two days', '2030-05-31T09:00:00Z', '2030-06-01T09:00:00Z'));
  await store.bookings.save(read('midnight', '2030-06-02T00:00:00Z'));
  await store.bookings.save(read('moved', '2030-06-01T10:00:00Z'));
  await store.bookings.save(read('cancelled', '2030-06-01T10:00:00Z'));
  await store.bookings.save(read('moved', '2030-07-01T10:00:00Z'));
  await store.bookings.save(read('cancelled'));
  const first = await store.bookings.listUpcoming({ ...day, limit: 1 });
  expect(first).toMatchObject([
    {
      bookingSystem: 'standard',
      bookingId: 'two days',
      firstStartsAt: new Date('2030-05-31T09:00:00Z'),
    },
  ]);
  const second = await store.bookings.listUpcoming({ ...day, limit: 10, after: first[0] });
  expect(second).toMatchObject([{ bookingId: 'noon', firstStartsAt: new Date('2030-06-01T12:00:00Z') }]);
  expect(second[0]?.stored?.fetched).toEqual(
    fetchedBooking({ bookedSessions: [session('2030-06-01T12:00:00Z')] }),
  );
});

test('a booking stays on its day when its response is too old to be served, and goes two days after it', async () => {
  const { store, query, url } = await openInstalledStore();
  await store.bookings.save(read('ahead', '2030-06-01T10:00:00Z'));
  await store.bookings.save(read('over', '2020-06-01T10:00:00Z'));
  await query("update cached_booking set fetched_at = now() - interval '24 hours'");
  await pruneRows(url);
  expect(await query('select 1 from cached_booking')).toEqual([]);
  expect(await query('select booking_id from upcoming_booking')).toEqual([{ booking_id: 'ahead' }]);
  expect(await store.bookings.listUpcoming({ ...day, limit: 10 })).toMatchObject([
    { bookingId: 'ahead', stored: undefined },
  ]);
});

test('the days of a pool are empty once its booking system is uninstalled', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.save(read('b1', '2030-06-01T10:00:00Z'));
  await store.installations.uninstall({ bookingSystem: 'standard', pool: 'p1' });
  expect(await store.bookings.listUpcoming({ ...day, limit: 10 })).toEqual([]);
});
