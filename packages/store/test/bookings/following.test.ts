import { setTimeout } from 'node:timers/promises';
import { untilBlocked } from '@waiver-service/database/testing';
import { maxFollowed } from '@waiver-service/waivers';
import { expect, onTestFinished, test } from 'vitest';
import { createReconcileJob } from '../../src/bookings/reconcile-job.ts';
import { openStore, type Store } from '../../src/index.ts';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import {
  installRequest,
  openDatabase,
  openInstalledStore,
  openSession,
  standard,
  testKey,
} from '../setup/open-test-store.ts';
import { readPages } from '../setup/read-pages.ts';

const read = { ...standard, bookingId: 'b1' };
const at = (startsAt: string) => [{ startsAt, activityId: 'raft', activityName: 'Rafting' }];

async function sign(store: Store, id: string, bookingGuestId: string | null, name: string) {
  const created = await store.waivers.create({ ...read, id, bookingGuestId, answers: { name } });
  expect(created.outcome).toBe('created');
}

const bodiesOf = async (query: (text: string) => Promise<readonly Record<string, unknown>[]>, id: string) =>
  (await query(`select body from delivery where waiver_id = '${id}' order by version`)).map(
    ({ body }) => JSON.parse(String(body)).waiver,
  );

const page = { limit: 100 };

test('a booking that is moved takes its waivers along, and the booking system gets the new visit', async () => {
  const { store, query } = await openInstalledStore();
  await store.bookings.save({ ...read, fetched: fetchedBooking() });
  await sign(store, 'w1', 'g1', 'Ann');
  const moved = fetchedBooking({ bookedSessions: at('2026-05-09T14:00:00Z') });
  await store.bookings.save({ ...read, fetched: moved });
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({
    version: 2,
    lastVisit: new Date('2026-05-09T14:00:00Z'),
  });
  expect((await bodiesOf(query, 'w1')).at(-1)).toMatchObject({ lastVisit: '2026-05-09T14:00:00.000Z' });
  // The same answer again, another field of it, or a cancellation that leaves no session changes nothing.
  await store.bookings.save({ ...read, fetched: moved });
  await store.bookings.save({
    ...read,
    fetched: { ...moved, booking: { ...moved.booking, notes: 'vegan' } },
  });
  const cancelled = fetchedBooking({ status: 'Cancelled', statusGroup: 'cancelled', bookedSessions: [] });
  await store.bookings.save({ ...read, fetched: cancelled });
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({ version: 2 });
});

test('waivers that guests have signed follow a booking, however many others there are', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.save({ ...read, fetched: fetchedBooking() });
  await Promise.all(
    Array.from({ length: 1_000 }, (_, place) =>
      store.waivers.create({ ...read, id: `0 ${place}`, currentPage: 'page-2', answers: { name: 'Bo' } }),
    ),
  );
  await sign(store, 'w1', 'g1', 'Ann');
  const moved = fetchedBooking({ bookedSessions: at('2026-05-09T14:00:00Z') });
  await store.bookings.save({ ...read, fetched: moved });
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({ lastVisit: new Date('2026-05-09T14:00:00Z') });
});

test('renumbered guests keep their waivers, and nothing is taken back from ids that are gone', async () => {
  const { store, query } = await openInstalledStore();
  await sign(store, 'w1', 'g1', 'Ann');
  await sign(store, 'w2', 'g2', 'Bo');
  await sign(store, 'w3', null, 'Cy');
  const guests = [
    { id: '12', name: 'Bo' },
    { id: '11', name: 'ANN' },
    { id: '13', name: 'Cy' },
  ];
  await store.bookings.save({ ...read, fetched: fetchedBooking({ guests }) });
  const ids = await Promise.all(
    ['w1', 'w2', 'w3'].map(async (id) => (await store.waivers.get('p1', id))?.bookingGuestId),
  );
  expect(ids).toEqual(['11', '12', null]);
  expect(
    (await bodiesOf(query, 'w1')).map(({ bookingGuestId, deleted }) => [bookingGuestId, deleted]),
  ).toEqual([
    ['g1', false],
    ['11', false],
  ]);
  expect((await store.unmatchedWaivers.list('p1', page)).items).toEqual([]);
});

test('a booking system that renumbers the guests at every read does not change a waiver for ever', async () => {
  const { store, query } = await openInstalledStore();
  await sign(store, 'w1', 'g1', 'Ann');
  let reads = 0;
  const readAgain = async () => {
    reads += 1;
    const guests = [{ id: `n${reads}`, name: 'Ann' }];
    await store.bookings.save({ ...read, fetched: fetchedBooking({ guests }) });
    return (await store.waivers.get('p1', 'w1'))?.version;
  };
  while (reads < maxFollowed + 3) await readAgain();
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({ version: maxFollowed + 1 });
  expect((await store.unmatchedWaivers.list('p1', page)).items).toMatchObject([{ reason: 'guest_gone' }]);
  // A change by a person is none of these, and the next day the waiver follows the same answer.
  await store.waivers.update('p1', 'w1', { answers: { notes: 'vegan' } });
  expect(await readAgain()).toBe(maxFollowed + 2);
  await query(`update waiver_version set at = at - interval '1 day'`);
  reads -= 1;
  expect(await readAgain()).toBe(maxFollowed + 3);
  expect((await store.unmatchedWaivers.list('p1', page)).items).toEqual([]);
});

test('what a person dismissed is listed again only when its guest or its booking changes', async () => {
  const { store } = await openInstalledStore();
  await sign(store, 'w1', 'g1', 'Ann');
  const save = (...ids: string[]) =>
    store.bookings.save({
      ...read,
      fetched: fetchedBooking({ guests: ids.map((id) => ({ id, name: `Guest ${id}` })) }),
    });
  const listed = async () =>
    (await store.unmatchedWaivers.list('p1', page)).items.map(({ waiverId }) => waiverId);
  await save('11');
  expect(await listed()).toEqual(['w1']);
  expect(await store.unmatchedWaivers.dismiss('p2', 'w1')).toBe(false);
  expect(await store.unmatchedWaivers.dismiss('p1', 'w1')).toBe(true);
  expect(await store.unmatchedWaivers.dismiss('p1', 'w1')).toBe(false);
  await save('11', '12');
  expect(await listed()).toEqual([]);
  await store.waivers.update('p1', 'w1', { bookingGuestId: 'g7' });
  await save('11');
  expect(await listed()).toEqual(['w1']);
  await save('g7');
  expect(await listed()).toEqual([]);
});

test('waivers of a missing booking are listed until the visit or until the booking is back', async () => {
  const { store } = await openInstalledStore();
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const booking = fetchedBooking({ bookedSessions: at(soon), guests: [] });
  await store.bookings.save({ ...read, fetched: booking });
  await sign(store, 'w1', null, 'Ann');
  await store.waivers.create({
    ...read,
    id: 'past',
    lastVisit: new Date('2020-01-01'),
    answers: { name: 'Bo' },
  });
  await store.unmatchedWaivers.noteGone(read);
  expect((await store.unmatchedWaivers.list('p1', page)).items).toMatchObject([
    { waiverId: 'w1', reason: 'booking_gone', proposals: [] },
  ]);
  await store.bookings.save({ ...read, fetched: booking });
  expect((await store.unmatchedWaivers.list('p1', page)).items).toEqual([]);
});

test('waivers of a missing booking are listed while its session of several days runs', async () => {
  const { store } = await openInstalledStore();
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const session = { ...at(day(-3))[0], startsAt: day(-3), endsAt: day(1) };
  await store.bookings.save({ ...read, fetched: fetchedBooking({ bookedSessions: [session], guests: [] }) });
  await sign(store, 'w1', null, 'Ann');
  await store.unmatchedWaivers.noteGone(read);
  expect((await store.unmatchedWaivers.list('p1', page)).items).toMatchObject([
    { waiverId: 'w1', reason: 'booking_gone' },
  ]);
});

test('a waiver that is being changed is listed only if it is still of the booking that is gone', async () => {
  const { store, query } = await openInstalledStore();
  for (const id of ['w1', 'w2']) {
    const lastVisit = new Date(Date.now() + 86_400_000);
    await store.waivers.create({ ...read, id, lastVisit, answers: { name: 'Ann' } });
  }
  await query('begin');
  await query(`update waiver set booking_id = 'elsewhere' where id = 'w1'`);
  const noted = store.unmatchedWaivers.noteGone(read);
  await setTimeout(100);
  await query('commit');
  await noted;
  expect(await query('select waiver_id from unmatched_waiver')).toEqual([{ waiver_id: 'w2' }]);
});

test('the list has pages, and leaves out voided waivers', async () => {
  const { store } = await openInstalledStore();
  for (const number of [1, 2, 3, 4]) await sign(store, `w${number}`, `g${number}`, 'Ann');
  await store.bookings.save({ ...read, fetched: fetchedBooking({ guests: [{ id: '11', name: 'Ann' }] }) });
  await store.waivers.void('p1', 'w2');
  const pages = await readPages((cursor) => store.unmatchedWaivers.list('p1', { limit: 2, cursor }));
  const seen = pages.flat().map(({ waiverId }) => waiverId);
  expect(seen).toEqual(['w1', 'w3', 'w4']);
});

test('of two answers at once, the waivers follow the one that is stored', async () => {
  const { store } = await openInstalledStore();
  await sign(store, 'w1', 'g1', 'Ann');
  const days = Array.from({ length: 12 }, (_, index) => `2026-05-${10 + index}T10:00:00Z`);
  await Promise.all(
    days.map((day) => store.bookings.save({ ...read, fetched: fetchedBooking({ bookedSessions: at(day) }) })),
  );
  const kept = await store.bookings.get('p1', 'standard', 'b1');
  const startsAt = kept?.fetched.booking.bookedSessions[0]?.startsAt ?? '';
  expect((await store.waivers.get('p1', 'w1'))?.lastVisit).toEqual(new Date(startsAt));
});

/** A store that begins no round, and a way to make one due: that closes the store, whose own job would take steps. */
async function openBetweenRounds(keys = [testKey()]) {
  const opened = await openInstalledStore({ keys });
  const roundBegan = (ago: string) =>
    opened.query('update reconciliation set round_started_at = now() - $1::interval, last_visit = null', [
      ago,
    ]);
  await roundBegan('0 hours');
  return {
    ...opened,
    makeRoundDue: async () => {
      await opened.store.close();
      await roundBegan('7 hours');
    },
  };
}

test('a booking whose visit is near is read again once a day, others are not', async () => {
  const { store, query, url, makeRoundDue } = await openBetweenRounds();
  await store.installations.install({ ...installRequest, bookingSystem: 'standard-query' });
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const create = (id: string, bookingId: string, lastVisit: Date, bookingSystem = 'standard') =>
    store.waivers.create({ ...read, id, bookingSystem, bookingId, lastVisit, answers: { name: 'Ann' } });
  await create('w1', 'near', inHours(30));
  await create('w2', 'near', inHours(31));
  await create('w3', 'just-read', inHours(30));
  await create('w4', 'far', inHours(24 * 30));
  await create('w5', 'over', inHours(-48));
  await create('w6', 'uninstalled', inHours(30), 'bookeo');
  await create('w7', 'voided', inHours(30));
  await store.waivers.void('p1', 'w7');
  await store.bookings.save({
    ...read,
    bookingId: 'just-read',
    fetched: fetchedBooking({ id: 'just-read' }),
  });
  const database = openDatabase(url);
  const round = async () => {
    // Two hosts at once.
    await Promise.all([createReconcileJob(database).runBatch(), createReconcileJob(database).runBatch()]);
    return (await query('select booking_id from booking_refresh order by 1')).map((row) => row.booking_id);
  };
  expect(await round()).toEqual([]);
  await makeRoundDue();
  expect(await round()).toEqual(['near']);
  await query('delete from booking_refresh');
  expect(await round()).toEqual([]);
});

test('a round goes on where the last step ended', async () => {
  const keys = [testKey()];
  const { store, query, url, makeRoundDue } = await openBetweenRounds(keys);
  const lastVisit = new Date(Date.now() + 3_600_000);
  await Promise.all(
    Array.from({ length: 450 }, (_, index) =>
      store.waivers.create({ ...read, id: `w${index}`, bookingId: `b${index}`, lastVisit, answers: {} }),
    ),
  );
  await makeRoundDue();
  const database = openDatabase(url);
  const counts: unknown[] = [];
  for (let step = 0; step < 4; step += 1) {
    await createReconcileJob(database).runBatch();
    counts.push((await query('select count(*)::integer as queued from booking_refresh'))[0]?.queued);
  }
  expect(counts).toEqual([200, 400, 450, 450]);
  // One after the other, whichever step queued them; what is announced meanwhile comes first.
  const claim = { limit: 100, perInstallation: 100, listed: [], leaseMs: 60_000, after: undefined };
  const { bookings, close } = await openStore({ databaseUrl: url, encryptionKeys: keys });
  onTestFinished(close);
  expect((await bookings.claimRefreshes(claim)).requests.length).toBeLessThan(10);
  await bookings.requestRefresh('p1', 'standard', ['b449', 'announced']);
  const announced = (await bookings.claimRefreshes(claim)).requests.map(({ bookingId }) => bookingId);
  expect(announced).toEqual(expect.arrayContaining(['b449', 'announced']));
  expect(announced.length).toBeLessThan(10);
  const [{ lastMs } = {}] = await query(
    'select extract(epoch from max(due_at) - now())::integer * 1000 as "lastMs" from booking_refresh',
  );
  expect(lastMs).toBeGreaterThan(850_000);
});

test.each([
  ['booking-system', [0, 4, 8, 12, 16, 20]],
  ['installation', [0, 0, 4, 4, 8, 8]],
] as const)('a round takes a quarter of what each %s allows', async (per, seconds) => {
  const { store, query, url, makeRoundDue } = await openBetweenRounds();
  await store.pools.put({ id: 'p2', name: 'Two' });
  const lastVisit = new Date(Date.now() + 3_600_000);
  for (const pool of ['p1', 'p2']) {
    const requestLimits = { per, windows: [{ requests: 10, windowMs: 10_000 }] };
    await store.installations.install({ ...installRequest, pool, requestLimits });
    for (const bookingId of ['b1', 'b2', 'b3'])
      await store.waivers.create({
        ...read,
        pool,
        bookingId,
        id: `${pool}-${bookingId}`,
        lastVisit,
        answers: {},
      });
  }
  await makeRoundDue();
  const database = openDatabase(url);
  await createReconcileJob(database).runBatch();
  const rows = await query(`
    select round(extract(epoch from due_at - min(due_at) over ()))::integer as second from booking_refresh order by 1`);
  expect(rows.map(({ second }) => second)).toEqual(seconds);
});

test('a round counts the shared queue once, however many installations share a limit', async () => {
  const { store, query, url, makeRoundDue } = await openBetweenRounds();
  const requestLimits = { per: 'booking-system' as const, windows: [{ requests: 10, windowMs: 10_000 }] };
  const lastVisit = new Date(Date.now() + 3_600_000);
  for (let number = 2; number < 12; number += 1) {
    const pool = `p${number}`;
    await store.pools.put({ id: pool, name: pool });
    await store.installations.install({ ...installRequest, pool, requestLimits });
    await store.waivers.create({ ...read, pool, id: pool, lastVisit, answers: {} });
  }
  const queued = 5_000;
  await query(`insert into booking_refresh (pool, booking_system, booking_id, due_at)
    select 'p' || n % 10 + 2, 'standard', 'queued-' || n, now() + interval '1 day' from generate_series(1, ${queued}) n`);
  await query('analyze booking_refresh');
  await makeRoundDue();
  const rowsRead = async () => {
    const [row] = await query(`
      select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid) as rows
      from pg_stat_user_tables t where relname = 'booking_refresh'`);
    return Number(row?.rows);
  };
  const before = await rowsRead();
  const database = openDatabase(url);
  await createReconcileJob(database).runBatch();
  await expect.poll(rowsRead).toBeGreaterThan(before);
  expect((await rowsRead()) - before).toBeLessThan(3 * queued);
  const [{ inserted } = {}] = await query(
    "select count(*)::integer as inserted from booking_refresh where booking_id = 'b1'",
  );
  expect(inserted).toBe(10);
});

const movedTo = '2026-05-01T14:00:00Z';
const moved = fetchedBooking({ bookedSessions: at(movedTo) });

async function open() {
  const opened = await openInstalledStore();
  await opened.store.bookings.save({ ...read, fetched: fetchedBooking() });
  const blocking = await openSession(opened.url);
  await blocking.query('begin');
  return { ...opened, blocking };
}

const visitOf = async (store: Store, id: string) => (await store.waivers.get('p1', id))?.lastVisit;

test('a waiver that was being stored when its booking moved follows it', async () => {
  const { store, query, blocking } = await open();
  await blocking.query(`insert into waiver_id (id, pool) values ('w1', 'p1')`);
  const created = store.waivers.create({ ...read, id: 'w1', bookingGuestId: 'g1' });
  await untilBlocked(query);
  const saved = store.bookings.save({ ...read, fetched: moved });
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
  await store.bookings.save({ ...read, bookingId: 'b2', fetched: moved });
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
    Promise.all(['w1', 'w2'].map((id) => opened.store.waivers.create({ ...read, id, bookingGuestId: 'g1' }))),
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
  const { bookingSystem, bookingId } = read;
  await moveMeanwhile(opened, () => waivers.update('p1', 'w1', { bookingSystem, bookingId, ...removes }));
  expect(await visitOf(opened.store, 'w1')).toEqual(new Date(movedTo));
});

test('a waiver that is attached takes the visit of a booking that moved after it was read', async () => {
  const opened = await open();
  const { waivers } = opened.store;
  await waivers.create({ pool: 'p1', id: 'w1' });
  await moveMeanwhile(opened, () =>
    waivers.attach({
      booking: read,
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
  const atHour = (hour: number) => fetchedBooking({ bookedSessions: at(`2026-05-01T${hour + 10}:00:00Z`) });
  await store.bookings.save({ ...read, fetched: atHour(0) });
  for (let round = 1; round < 12; round += 1) {
    await Promise.all([
      ...Array.from({ length: 10 }, (_, place) =>
        store.waivers.create({ ...read, id: `w${round}-${place}`, bookingGuestId: null }),
      ),
      store.bookings.save({ ...read, fetched: atHour(round) }),
    ]);
    const waivers = await store.waivers.list('p1', { limit: 500 });
    const visits = new Set(waivers.items.map(({ lastVisit }) => lastVisit.getUTCHours()));
    expect([...visits]).toEqual([round + 10]);
  }
});
