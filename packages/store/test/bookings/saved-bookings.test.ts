import { setTimeout } from 'node:timers/promises';
import { untilBlocked } from '@waiver-service/database/testing';
import { expect, onTestFinished, test } from 'vitest';
import { RecentAnswers } from '../../src/bookings/booking-writer.ts';
import { eraseBookingsNaming } from '../../src/bookings/stored-bookings.ts';
import { openStore, type StoreEvent } from '../../src/index.ts';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import { pruneRows } from '../../src/testing/pruning.ts';
import { installRequest, openInstalledStore, standard, testKey } from '../setup/open-test-store.ts';

const read = { ...standard, bookingId: 'b1' };
const waiver = { ...read, id: 'w1', answers: { name: 'Ann' } };

test('the last good answer is returned as it was read, but for characters that no waiver could hold', async () => {
  const { store } = await openInstalledStore();
  const strange = fetchedBooking({ notes: 'a\u0000b \ud800 ☃', vendorField: { nested: [1, null] } });
  await store.bookings.save({ ...read, fetched: strange });
  const kept = await store.bookings.get('p1', 'standard', 'b1');
  expect(kept?.fetched).toEqual({
    ...strange,
    booking: { ...strange.booking, notes: 'a\ufffdb \ufffd ☃' },
    warnings: [...strange.warnings, expect.objectContaining({ code: 'text_rewritten' })],
  });
  expect(Math.abs(Date.now() - (kept?.fetchedAt.getTime() ?? 0))).toBeLessThan(30_000);

  await store.bookings.save({ ...read, fetched: fetchedBooking({ status: 'Cancelled' }) });
  expect((await store.bookings.get('p1', 'standard', 'b1'))?.fetched.booking.status).toBe('Cancelled');
  expect(await store.bookings.get('p1', 'standard', 'b2')).toBeUndefined();
  expect(await store.bookings.get('p2', 'standard', 'b1')).toBeUndefined();
  expect(await store.bookings.get('p1', 'standard-query', 'b1')).toBeUndefined();
});

test('an answer older than 24 hours is not served, and is pruned', async () => {
  const { store, query, url } = await openInstalledStore();
  await store.bookings.save({ ...read, fetched: fetchedBooking() });
  await store.bookings.save({ ...read, bookingId: 'b2', fetched: fetchedBooking() });
  await query("update cached_booking set fetched_at = now() - interval '24 hours' where booking_id = 'b1'");
  expect(await store.bookings.get('p1', 'standard', 'b1')).toBeUndefined();
  expect(await store.bookings.get('p1', 'standard', 'b2')).toBeDefined();
  await pruneRows(url);
  expect(await query('select booking_id from cached_booking')).toEqual([{ booking_id: 'b2' }]);
});

test('an answer stored in another release’s form is ignored', async () => {
  const { store, query } = await openInstalledStore();
  await store.bookings.save({ ...read, fetched: fetchedBooking() });
  await query(`update cached_booking set fetched = '{"form":"older"}'`);
  expect(await store.bookings.get('p1', 'standard', 'b1')).toBeUndefined();
});

test('reading a booking corrects the last visit of an earlier waiver, and sends it again', async () => {
  const { store } = await openInstalledStore();
  const created = await store.waivers.create({ ...waiver, bookingGuestId: 'g1' });
  if (!('record' in created)) throw new Error(created.outcome);
  expect(created.record.lastVisit).toEqual(created.record.createdAt);
  await Promise.all(
    Array.from({ length: 6 }, () => store.bookings.save({ ...read, fetched: fetchedBooking() })),
  );
  const record = await store.waivers.get('p1', 'w1');
  expect(record).toMatchObject({ version: 2, lastVisit: new Date('2026-05-01T09:30:00Z') });
  const versions = (await store.waivers.deliveriesOf('p1', 'w1')).map(({ version }) => version);
  expect([...versions].sort()).toEqual([1, 2]);
});

test('a booking corrects its own waivers, not those of another system’s booking with the same id', async () => {
  const { store } = await openInstalledStore();
  await store.installations.install({ ...installRequest, bookingSystem: 'standard-query' });
  const create = (id: string, bookingSystem: string) =>
    store.waivers.create({ id, pool: 'p1', bookingSystem, bookingId: 'b1' });
  await create('standard', 'standard');
  await create('standard-query', 'standard-query');
  await store.bookings.save({ ...read, fetched: fetchedBooking() });
  expect(await store.waivers.get('p1', 'standard')).toMatchObject({ version: 2 });
  expect(await store.waivers.get('p1', 'standard-query')).toMatchObject({ version: 1 });
  await create('later', 'standard-query');
  const later = await store.waivers.get('p1', 'later');
  expect(later?.lastVisit).toEqual(later?.createdAt);
});

test('an answer that arrives during an uninstall is not stored', async () => {
  const { store, query } = await openInstalledStore();
  await query('begin');
  await query("update installation set status = 'uninstalled', account_id = null, account_encrypted = null");
  const saved = store.bookings.save({ ...read, fetched: fetchedBooking() });
  await Promise.race([untilBlocked(query), saved]);
  await query('commit');
  await saved;
  expect(await query('select booking_id from cached_booking')).toEqual([]);
});

test('concurrent answers are all stored, for each booking the newest', async () => {
  const { store, query } = await openInstalledStore();
  await store.pools.put({ id: 'p2', name: 'Two' });
  const saves = Array.from({ length: 200 }, (_, index) =>
    store.bookings.save({
      ...read,
      pool: index % 10 === 9 ? 'p2' : 'p1',
      bookingId: `b${index % 100}`,
      fetched: fetchedBooking({ status: `"{status}", \\${index}` }),
    }),
  );
  await Promise.all(saves);
  for (let number = 0; number < 100; number += 1) {
    const kept = await store.bookings.get('p1', 'standard', `b${number}`);
    // Nothing is installed for the other pool.
    expect(kept?.fetched.booking.status).toBe(
      number % 10 === 9 ? undefined : `"{status}", \\${100 + number}`,
    );
  }
  expect(await query('select count(*) from cached_booking')).toEqual([{ count: '90' }]);
});

test('a host that stored a response stores it again once another one has removed it, or found the booking gone', async () => {
  const key = testKey();
  const { store, url, query } = await openInstalledStore({ keys: [key] });
  const other = await openStore({ databaseUrl: url, encryptionKeys: [key], onNotice: () => {} });
  onTestFinished(() => other.close());
  await store.waivers.create(waiver);
  const booking = fetchedBooking({
    contact: { name: 'Bo', email: 'bo@example.com' },
    bookedSessions: [{ startsAt: '2030-05-01T09:30:00Z' }],
  });
  /** Reads as a waiver app would, until the stored bookings are as expected. */
  const readUntil = (statement: string, rows: unknown[]) =>
    expect
      .poll(async () => {
        await store.bookings.saveIfNew({ ...read, fetched: booking }, 'v1');
        return query(statement);
      })
      .toEqual(rows);
  await readUntil('select booking_id from cached_booking', [{ booking_id: 'b1' }]);
  await other.context.database
    .transaction()
    .execute((transaction) => eraseBookingsNaming(transaction, 'p1', ['bo@example.com']));
  expect(await query('select booking_id from cached_booking')).toEqual([]);
  await readUntil('select booking_id from cached_booking', [{ booking_id: 'b1' }]);
  await other.unmatchedWaivers.noteGone(read);
  expect(await query('select reason from unmatched_waiver')).toEqual([{ reason: 'booking_gone' }]);
  await readUntil('select reason from unmatched_waiver', []);
});

test('an answer that cannot be saved is reported to the operator, not to the reader', async () => {
  const notices: StoreEvent[] = [];
  const { store, query } = await openInstalledStore({ onNotice: (event) => notices.push(event) });
  await query('alter table cached_booking rename to away');
  expect(await store.bookings.saveIfNew({ ...read, fetched: fetchedBooking() }, 'v1')).toBe(false);
  expect(notices).toEqual([
    { kind: 'booking-not-saved', ...read, message: expect.stringContaining('cached_booking') },
  ]);
  await expect(store.bookings.save({ ...read, fetched: fetchedBooking() })).rejects.toThrow('cached_booking');
  await query('alter table away rename to cached_booking');
});

test('the waivers of a booking that was just read are corrected before they are listed', async () => {
  const { store, query } = await openInstalledStore();
  await store.waivers.create(waiver);
  const save = () => store.bookings.saveIfNew({ ...read, fetched: fetchedBooking() }, 'v1');
  expect([await save(), await save()]).toEqual([true, false]);
  expect(await store.waivers.forBooking(read)).toMatchObject([{ id: 'w1', name: 'Ann' }]);
  expect(await query('select version, last_visit_source from waiver')).toEqual([
    { version: 2, last_visit_source: 'session' },
  ]);
});

test('an answer’s age counts from its read, not from its save', async () => {
  const { store, query } = await openInstalledStore();
  await query('begin');
  await query('lock table cached_booking in exclusive mode');
  const saved = store.bookings.save({ ...read, fetched: fetchedBooking() });
  await untilBlocked(query);
  // Its statement begins when that of the former one has ended.
  const late = store.bookings.save({ ...read, fetched: fetchedBooking({ status: 'newer' }) });
  const before = await query('select clock_timestamp() as now');
  await setTimeout(2_000);
  await query('commit');
  await Promise.all([saved, late]);
  const [row] = await query(
    "select fetched_at < $1::timestamptz + interval '1900 ms' as is_as_old, fetched::json #>> '{booking,status}' as status from cached_booking",
    [before[0]?.now],
  );
  expect(row).toEqual({ is_as_old: true, status: 'newer' });
});

test('an older answer that waits for a newer one to be stored does not replace it', async () => {
  const { store, query } = await openInstalledStore();
  await store.bookings.save({ ...read, fetched: fetchedBooking() });
  await query('begin');
  await query('lock table cached_booking in exclusive mode');
  const saved = store.bookings.save({ ...read, fetched: fetchedBooking({ status: 'older' }) });
  await untilBlocked(query);
  await query('update cached_booking set fetched_at = clock_timestamp()');
  await query('commit');
  await saved;
  expect((await store.bookings.get('p1', 'standard', 'b1'))?.fetched.booking.status).not.toBe('older');
});

test('the late answer of an earlier request does not replace a later one’s, stored or about to be', async () => {
  const { store } = await openInstalledStore();
  const save = (status: string, requestedAt: number) =>
    store.bookings.save({ ...read, requestedAt, fetched: fetchedBooking({ status }) });
  const now = performance.now();
  const stored = async () => (await store.bookings.get('p1', 'standard', 'b1'))?.fetched.booking.status;
  await Promise.all([save('later', now - 1_000), save('earlier', now - 2_000)]);
  expect(await stored()).toBe('later');
  await save('earlier', now - 2_000);
  expect(await stored()).toBe('later');
  await save('latest', now);
  expect(await stored()).toBe('latest');
});

test('answers that come while a lock holds up older ones about the same bookings are stored, and none is lost', async () => {
  const { store, query } = await openInstalledStore();
  const places = Array.from({ length: 40 }, (_, place) => place);
  const save = (place: number, notes: string) =>
    store.bookings.saveIfNew({ ...read, bookingId: `b${place}`, fetched: fetchedBooking({ notes }) }, 'v1');
  await query('begin');
  await query('select from installation for update');
  const older = places.map((place) => save(place, 'old'));
  await untilBlocked(query);
  const newer: Promise<unknown>[] = [];
  // Spread over the time at which the statement that waits gives up its lock, and the bookings are stored pool by pool.
  await setTimeout(100);
  for (const place of places) {
    await setTimeout(5);
    newer.push(save(place, 'new'));
  }
  await query('commit');
  await Promise.all([...older, ...newer]);
  // A caller waits only so long, and the answer is stored behind it.
  for (const place of places) {
    await expect
      .poll(async () => (await store.bookings.get('p1', 'standard', `b${place}`))?.fetched.booking.notes)
      .toBe('new');
  }
});

const minuteMs = 60_000;

function start() {
  let now = 0;
  const recent = new RecentAnswers(() => now);
  const bookingOf = (pax: number, bookingId: string, requestedAt?: number) => ({
    pool: 'p1',
    requestedAt,
    bookingSystem: 'standard',
    bookingId,
    fetched: fetchedBooking({ pax }),
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

const session = (startsAt: string) => ({ startsAt, activityId: 'raft', activityName: 'Rafting' });
const at = (bookingId: string, ...starts: string[]) => ({
  ...standard,
  bookingId,
  fetched: fetchedBooking({ bookedSessions: starts.map(session) }),
});
const june = { pool: 'p1', from: new Date('2030-06-01T00:00:00Z'), until: new Date('2030-06-02T00:00:00Z') };

test('the bookings of a day are listed in the order of their sessions, page by page, wherever a booking was moved', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.save(at('noon', '2030-06-01T12:00:00Z'));
  await store.bookings.save(at('two days', '2030-05-31T09:00:00Z', '2030-06-01T09:00:00Z'));
  await store.bookings.save(at('midnight', '2030-06-02T00:00:00Z'));
  await store.bookings.save(at('moved', '2030-06-01T10:00:00Z'));
  await store.bookings.save(at('cancelled', '2030-06-01T10:00:00Z'));
  await store.bookings.save(at('moved', '2030-07-01T10:00:00Z'));
  await store.bookings.save(at('cancelled'));
  const first = await store.bookings.listUpcoming({ ...june, limit: 1 });
  expect(first).toMatchObject([
    {
      bookingSystem: 'standard',
      bookingId: 'two days',
      firstStartsAt: new Date('2030-05-31T09:00:00Z'),
    },
  ]);
  const second = await store.bookings.listUpcoming({ ...june, limit: 10, after: first[0] });
  expect(second).toMatchObject([{ bookingId: 'noon', firstStartsAt: new Date('2030-06-01T12:00:00Z') }]);
  expect(second[0]?.stored?.fetched).toEqual(
    fetchedBooking({ bookedSessions: [session('2030-06-01T12:00:00Z')] }),
  );
});

test('a booking stays on its day when its response is too old to be served, and goes two days after it', async () => {
  const { store, query, url } = await openInstalledStore();
  await store.bookings.save(at('ahead', '2030-06-01T10:00:00Z'));
  await store.bookings.save(at('over', '2020-06-01T10:00:00Z'));
  await query("update cached_booking set fetched_at = now() - interval '24 hours'");
  await pruneRows(url);
  expect(await query('select 1 from cached_booking')).toEqual([]);
  expect(await query('select booking_id from upcoming_booking')).toEqual([{ booking_id: 'ahead' }]);
  expect(await store.bookings.listUpcoming({ ...june, limit: 10 })).toMatchObject([
    { bookingId: 'ahead', stored: undefined },
  ]);
});

test('the days of a pool are empty once its booking system is uninstalled', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.save(at('b1', '2030-06-01T10:00:00Z'));
  await store.installations.uninstall(standard);
  expect(await store.bookings.listUpcoming({ ...june, limit: 10 })).toEqual([]);
});
