import { untilBlocked } from '@waiver-service/database/testing';
import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import { openInstalledStore } from '../setup/installed-store.ts';
import { openSession } from '../setup/open-session.ts';

const booking = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
const movedTo = '2026-05-01T14:00:00Z';
const moved = fetchedBooking({
  bookedSessions: [{ startsAt: movedTo, activityId: 'raft', activityName: 'Rafting' }],
});

async function open() {
  const opened = await openInstalledStore();
  await opened.store.bookings.save({ ...booking, fetched: fetchedBooking() });
  const blocking = await openSession(opened.url);
  await blocking.query('begin');
  return { ...opened, blocking };
}

const visitOf = async (store: Store, id: string) => (await store.waivers.get('p1', id))?.lastVisit;

test('a waiver that was being stored when its booking moved follows it', async () => {
  const { store, query, blocking } = await open();
  await blocking.query(`insert into waiver_id (id, pool) values ('w1', 'p1')`);
  const created = store.waivers.create({ ...booking, id: 'w1', bookingGuestId: 'g1' });
  await untilBlocked(query);
  const saved = store.bookings.save({ ...booking, fetched: moved });
  // Until it is stored, or waits for the waiver.
  await Promise.race([saved, untilBlocked(query, 2)]);
  await blocking.query('rollback');
  await Promise.all([created, saved]);
  expect(await visitOf(store, 'w1')).toEqual(new Date(movedTo));
});

/** Moves the booking, and holds that up until a waiver waits for it. */
async function moveMeanwhile(
  { store, query, blocking }: Awaited<ReturnType<typeof open>>,
  write: () => Promise<unknown>,
): Promise<void> {
  await store.bookings.save({ ...booking, bookingId: 'b2', fetched: moved });
  await blocking.query(`
update cached_booking b set fetched = m.fetched from cached_booking m where b.booking_id = 'b1' and m.booking_id = 'b2'`);
  const written = write();
  await Promise.race([written, untilBlocked(query)]);
  await blocking.query('commit');
  await written;
}

test('a waiver is stored with the visit of a booking that moved after it was read', async () => {
  const opened = await open();
  await moveMeanwhile(opened, () =>
    Promise.all(
      ['w1', 'w2'].map((id) => opened.store.waivers.create({ ...booking, id, bookingGuestId: 'g1' })),
    ),
  );
  expect(await visitOf(opened.store, 'w1')).toEqual(new Date(movedTo));
  expect(await visitOf(opened.store, 'w2')).toEqual(new Date(movedTo));
});

test.each([
  { change: 'an update', removes: {} },
  { change: 'an update that removes an answer', removes: { answers: { name: null } } },
])('$change takes the visit of a booking that moved after it was read', async ({ removes }) => {
  const opened = await open();
  const { waivers } = opened.store;
  await waivers.create({ pool: 'p1', id: 'w1', answers: { name: 'Ann' } });
  const { bookingSystem, bookingId } = booking;
  await moveMeanwhile(opened, () => waivers.update('p1', 'w1', { bookingSystem, bookingId, ...removes }));
  expect(await visitOf(opened.store, 'w1')).toEqual(new Date(movedTo));
});

test('a waiver that is attached takes the visit of a booking that moved after it was read', async () => {
  const opened = await open();
  const { waivers } = opened.store;
  await waivers.create({ pool: 'p1', id: 'w1' });
  await moveMeanwhile(opened, () =>
    waivers.attach({
      booking,
      activities: ['raft'],
      waivers: [{ id: 'w1', bookingGuestId: 'g1' }],
      by: undefined,
      refuse: () => undefined,
    }),
  );
  expect(await visitOf(opened.store, 'w1')).toEqual(new Date(movedTo));
});

test('whatever moves and is signed at once, all waivers have the visit of the booking in the end', async () => {
  const { store } = await openInstalledStore();
  const at = (hour: number) =>
    fetchedBooking({
      bookedSessions: [
        { startsAt: `2026-05-01T${hour + 10}:00:00Z`, activityId: 'raft', activityName: 'Rafting' },
      ],
    });
  await store.bookings.save({ ...booking, fetched: at(0) });
  for (let round = 1; round < 12; round += 1) {
    await Promise.all([
      ...Array.from({ length: 10 }, (_, place) =>
        store.waivers.create({ ...booking, id: `w${round}-${place}`, bookingGuestId: null }),
      ),
      store.bookings.save({ ...booking, fetched: at(round) }),
    ]);
    const waivers = await store.waivers.list('p1', { limit: 500 });
    const visits = new Set(waivers.items.map(({ lastVisit }) => lastVisit.getUTCHours()));
    expect([...visits]).toEqual([round + 10]);
  }
});
