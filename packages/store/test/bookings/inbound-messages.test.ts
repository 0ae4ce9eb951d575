import { expect, test } from 'vitest';
import { maxQueuedRefreshes } from '../../src/bookings/refresh-queue.ts';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import { pruneRows } from '../../src/testing/pruning.ts';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';

type Opened = Awaited<ReturnType<typeof openInstalledStore>>;

const queued = async ({ query }: Opened) =>
  (await query('select booking_id, request from booking_refresh order by booking_id')).map(
    ({ booking_id, request }) => [booking_id, Number(request)],
  );

test('a message that comes again queues nothing, whatever it names then', async () => {
  const opened = await openInstalledStore();
  const { bookings } = opened.store;
  const messageId = 'm'.repeat(1024);
  await bookings.requestRefresh('p1', 'standard', ['b1'], { messageId });
  await bookings.requestRefresh('p1', 'standard', ['b1', 'b2'], { messageId, missedCalls: true });
  expect(await queued(opened)).toEqual([['b1', 1]]);
  await bookings.requestRefresh('p1', 'standard', ['b1', 'b2'], { messageId: 'other' });
  expect(await queued(opened)).toEqual([
    ['b1', 2],
    ['b2', 1],
  ]);
});

test('of one message that two hosts take at once, one queues its bookings', async () => {
  const opened = await openInstalledStore();
  const { bookings } = opened.store;
  await Promise.all(
    Array.from({ length: 10 }, () => bookings.requestRefresh('p1', 'standard', ['b1'], { messageId: 'm' })),
  );
  expect(await queued(opened)).toEqual([['b1', 1]]);
});

test('a message is known only for its installation, and not after an uninstall', async () => {
  const opened = await openInstalledStore();
  const { store, query } = opened;
  await store.pools.put({ id: 'p2', name: 'Two' });
  await store.installations.install({ ...installRequest, pool: 'p2' });
  for (const pool of ['p1', 'p2']) {
    await store.bookings.requestRefresh(pool, 'standard', ['b1'], { messageId: 'm' });
  }
  expect(await queued(opened)).toHaveLength(2);
  await store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  expect(await query('select pool from inbound_message')).toEqual([{ pool: 'p2' }]);
});

test('after missed calls every booking of the installation with a stored answer is queued', async () => {
  const opened = await openInstalledStore();
  const { store } = opened;
  await store.pools.put({ id: 'p2', name: 'Two' });
  await store.installations.install({ ...installRequest, pool: 'p2' });
  for (const [pool, bookingId] of [
    ['p1', 'b1'],
    ['p1', 'b2'],
    ['p2', 'b3'],
  ] as const) {
    await store.bookings.save({ pool, bookingSystem: 'standard', bookingId, fetched: fetchedBooking() });
  }
  await store.bookings.requestRefresh('p1', 'standard', ['b2', 'b9'], { missedCalls: true });
  expect(await queued(opened)).toEqual([
    ['b1', 1],
    ['b2', 1],
    ['b9', 1],
  ]);
});

test('a message is forgotten after a week', async () => {
  const { store, query, url } = await openInstalledStore();
  for (const messageId of ['old', 'young']) {
    await store.bookings.requestRefresh('p1', 'standard', ['b1'], { messageId });
  }
  await query(`update inbound_message set received_at = now() - interval '7 days'
    where message = sha256('old')`);
  await pruneRows(url);
  expect(await query(`select message = sha256('young') as young from inbound_message`)).toEqual([
    { young: true },
  ]);
});

test('an account is found in whatever pools it is installed, by the text of its id', async () => {
  const { store, query } = await openInstalledStore();
  for (const pool of ['p2', 'p3', 'p4']) await store.pools.put({ id: pool, name: pool });
  const install = (pool: string, accountId: string | number, bookingSystem = 'standard') =>
    store.installations.install({ ...installRequest, pool, accountId, bookingSystem });
  await install('p2', 7);
  await install('p3', '7');
  await install('p4', 8);
  await store.pools.put({ id: 'p4', name: 'Four', installs: 'approve' });
  await install('p4', 7, 'standard-query');
  expect(await store.installations.poolsOfAccount('standard', '7')).toEqual([
    { pool: 'p2', pending: false },
    { pool: 'p3', pending: false },
  ]);
  expect(await store.installations.poolsOfAccount('standard-query', 7)).toEqual([
    { pool: 'p4', pending: true },
  ]);
  await store.installations.uninstall({ pool: 'p2', bookingSystem: 'standard' });
  expect(await store.installations.poolsOfAccount('standard', 7)).toEqual([{ pool: 'p3', pending: false }]);
  await query('set enable_seqscan = off');
  const plan = await query(
    `explain select pool from installation where booking_system = 'standard' and account_id = '7'`,
  );
  expect(JSON.stringify(plan)).toContain('installation_account');
});

test('more bookings than may wait are not queued, and the message counts as not taken', async () => {
  const { store, query } = await openInstalledStore();
  await store.pools.put({ id: 'p2', name: 'Two' });
  await store.installations.install({ ...installRequest, pool: 'p2' });
  const count = async (pool: string) =>
    Number((await query(`select count(*) as n from booking_refresh where pool = '${pool}'`))[0]?.n);
  await query(`insert into booking_refresh (pool, booking_system, booking_id, due_at)
    select 'p1', 'standard', 'made-up-' || n, now() from generate_series(1, ${maxQueuedRefreshes}) n`);
  const request = (pool: string) =>
    store.bookings.requestRefresh(pool, 'standard', ['b1'], { messageId: 'm' });
  expect(await request('p1')).toBe(false);
  expect(await count('p1')).toBe(maxQueuedRefreshes);
  expect(await request('p2')).toBe(true);
  await query(`delete from booking_refresh where booking_id = 'made-up-1'`);
  expect(await request('p1')).toBe(true);
  expect(await count('p1')).toBe(maxQueuedRefreshes);
});
