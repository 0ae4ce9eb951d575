import { beforeEach, describe, expect, test } from 'vitest';
import { maxQueuedRefreshes } from '../../src/bookings/refresh-queue.ts';
import type { ChangesClaim, Store } from '../../src/index.ts';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import { pruneRows } from '../../src/testing/pruning.ts';
import { installRequest, openInstalledStore, standard } from '../setup/open-test-store.ts';

const leaseMs = 60_000;

const claim = async (store: Store, limit: number, lease = leaseMs) => {
  const shares = { limit, perInstallation: limit, listed: [] };
  return (await store.bookings.claimRefreshes({ ...shares, leaseMs: lease, after: undefined })).requests;
};

test('a booking is queued once however often it is requested, until it is read', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1', 'b2', 'b1']);
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  await store.bookings.requestRefresh('p1', 'not-installed', ['b9']);
  const claimed = await claim(store, 10, leaseMs);
  expect(claimed.map(({ bookingId }) => bookingId).sort()).toEqual(['b1', 'b2']);
  expect(claimed[0]).toMatchObject({ ...standard, attempts: 1 });
  expect(await claim(store, 10, leaseMs)).toEqual([]);
  for (const request of claimed) await store.bookings.finishRefresh(request, { outcome: 'done' });
  await store.bookings.requestRefresh('p1', 'standard', []);
  expect(await claim(store, 10, 0)).toEqual([]);
});

test('a request that comes in while the booking is being read is served as well', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  const [first] = await claim(store, 1, leaseMs);
  if (first === undefined) throw new Error('nothing to claim');
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  await store.bookings.finishRefresh(first, { outcome: 'done' });
  expect(await claim(store, 1, leaseMs)).toMatchObject([{ bookingId: 'b1', attempts: 1 }]);
});

test('a failed request is due again after its wait, nine attempts in all', async () => {
  const { store, query } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  for (let attempts = 1; attempts <= 9; attempts += 1) {
    const [request] = await claim(store, 1, leaseMs);
    expect(request).toMatchObject({ bookingId: 'b1', attempts });
    if (request === undefined) throw new Error('nothing to claim');
    await store.bookings.finishRefresh(request, { outcome: 'failed', waitMs: 0 });
  }
  expect(await claim(store, 1, leaseMs)).toEqual([]);
  expect(await query('select from booking_refresh')).toEqual([]);
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  const [again] = await claim(store, 1, leaseMs);
  expect(again).toMatchObject({ attempts: 1 });
  if (again === undefined) throw new Error('nothing to claim');
  await store.bookings.finishRefresh(again, { outcome: 'failed', waitMs: 3_600_000 });
  expect(await claim(store, 1, leaseMs)).toEqual([]);
});

test('a lost worker’s bookings come due again, and no two workers hold the same booking', async () => {
  const { store } = await openInstalledStore();
  const bookingIds = Array.from({ length: 30 }, (_, index) => `b${index}`);
  await store.bookings.requestRefresh('p1', 'standard', bookingIds);
  expect(await claim(store, 30, 0)).toHaveLength(30);
  const claims = await Promise.all(Array.from({ length: 6 }, () => claim(store, 10, leaseMs)));
  const claimed = claims.flat().map(({ bookingId }) => bookingId);
  expect([...claimed].sort()).toEqual([...new Set(claimed)].sort());
  const rest = await claim(store, 30, leaseMs);
  expect(claimed.length + rest.length).toBe(30);
});

test('a booking that another worker is claiming is skipped, not waited for', async () => {
  const { store, query } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1', 'b2']);
  await query('begin');
  await query("select from booking_refresh where booking_id = 'b1' for update");
  expect(await claim(store, 10)).toMatchObject([{ bookingId: 'b2' }]);
  await query('commit');
  expect(await claim(store, 10)).toMatchObject([{ bookingId: 'b1' }]);
});

test('concurrent requests do not block each other', async () => {
  const { store } = await openInstalledStore();
  const bookingIds = Array.from({ length: 20 }, (_, index) => `b${index}`);
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      store.bookings.requestRefresh('p1', 'standard', index % 2 === 0 ? bookingIds : bookingIds.toReversed()),
    ),
  );
  expect(await claim(store, 100, leaseMs)).toHaveLength(20);
});

test('every installation gets a turn however long another’s queue is; a listed one gets its own share', async () => {
  const { store } = await openInstalledStore();
  const pools = ['p2', 'p3', 'p4'];
  for (const pool of pools) {
    await store.pools.put({ id: pool, name: pool });
    await store.installations.install({ ...installRequest, pool });
  }
  const many = Array.from({ length: 100 }, (_, index) => `b${index}`);
  await store.bookings.requestRefresh('p1', 'standard', many);
  for (const pool of pools) await store.bookings.requestRefresh(pool, 'standard', ['b1', 'b2', 'b3']);
  const shares = { limit: 5, perInstallation: 2, leaseMs };
  const listed = [{ pool: 'p2', bookingSystem: 'standard', free: 0 }];
  const first = await store.bookings.claimRefreshes({ ...shares, listed, after: undefined });
  expect(first.requests.map(({ pool }) => pool).toSorted()).toEqual(['p1', 'p1', 'p3', 'p3', 'p4']);
  expect(first.after).toEqual({ pool: 'p4', bookingSystem: 'standard' });
  const second = await store.bookings.claimRefreshes({ ...shares, listed: [], after: first.after });
  expect(second).toEqual({ requests: [], after: undefined });
  const third = await store.bookings.claimRefreshes({ ...shares, listed: [], after: undefined });
  expect(third.requests.map(({ pool }) => pool).toSorted()).toEqual(['p1', 'p1', 'p2', 'p2', 'p3']);
});

test('a request that was postponed does not use an attempt', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  for (let round = 0; round < 8; round += 1) {
    const [request] = await claim(store, 1);
    if (request === undefined) throw new Error('nothing to claim');
    expect(request.attempts).toBe(1);
    await store.bookings.finishRefresh(request, { outcome: 'postponed', waitMs: 0 });
  }
});

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
  await store.installations.uninstall(standard);
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

describe('changes that a booking system reports', () => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openInstalledStore();
  });

  const limits = { bookingSystems: ['standard', 'unknown'], limit: 10, leaseMs: 60_000 };
  const claimAll = () => opened.store.bookingChanges.claim(limits);

  async function claimOne(): Promise<ChangesClaim> {
    const [claim, ...others] = await claimAll();
    if (claim === undefined || others.length > 0)
      throw new Error(`${others.length} more than one, or none, is due`);
    return claim;
  }

  const report = (claim: ChangesClaim, cursor: string | null = 'c1', waitMs: number | null = 300_000) =>
    opened.store.bookingChanges.report(claim, { bookingIds: ['b2', 'b1'], cursor, waitMs });
  const queuedIds = () => opened.query('select booking_id from booking_refresh order by booking_id');
  const makeDue = () => opened.query(`update booking_changes set due_at = now() where not claimed`);

  test('a new installation is polled without a cursor, and then from the last one', async () => {
    const first = await claimOne();
    expect(first).toMatchObject({ ...standard, cursor: null, failures: 0 });
    expect(await claimAll(), 'one host at a time').toEqual([]);
    await report(first);
    expect(await queuedIds()).toEqual([{ booking_id: 'b1' }, { booking_id: 'b2' }]);
    expect(await claimAll()).toEqual([]);
    await makeDue();
    expect(await claimOne()).toMatchObject({ cursor: 'c1' });
  });

  test('of many hosts that claim at once, one has it', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, claimAll));
    expect(claims.flat()).toHaveLength(1);
  });

  test('changes reported after the lease are not stored: another host has polled since', async () => {
    const late = await claimOne();
    await opened.query(`update booking_changes set due_at = now()`);
    const next = await claimOne();
    await report(late, 'late');
    expect(await queuedIds()).toEqual([]);
    await report(next, 'next');
    await makeDue();
    expect(await claimOne()).toMatchObject({ cursor: 'next' });
  });

  test('a failure leaves the cursor and is counted, a call that was not made is not', async () => {
    const { bookingChanges } = opened.store;
    await report(await claimOne(), 'c1', 0);
    await bookingChanges.postpone(await claimOne(), 0, true);
    await bookingChanges.postpone(await claimOne(), 0, true);
    await bookingChanges.postpone(await claimOne(), 0, false);
    const again = await claimOne();
    expect(again).toMatchObject({ cursor: 'c1', failures: 2 });
    await report(again, 'c2', 0);
    expect(await claimOne()).toMatchObject({ cursor: 'c2', failures: 0 });
  });

  test('while too many bookings wait to be read, changes are not passed over: the call is made again', async () => {
    const { query } = opened;
    await query(`insert into booking_refresh (pool, booking_system, booking_id, due_at)
    select 'p1', 'standard', 'x' || n, now() from generate_series(1, ${maxQueuedRefreshes}) n`);
    await report(await claimOne());
    expect(await query(`select from booking_refresh where booking_id like 'b%'`)).toEqual([]);
    expect(await claimAll()).toEqual([]);
    await query(`delete from booking_refresh where booking_id = 'x1'`);
    await makeDue();
    const again = await claimOne();
    expect(again).toMatchObject({ cursor: null, failures: 0 });
    await report(again);
    expect(await query(`select from booking_refresh where booking_id like 'b%'`)).toHaveLength(2);
  });

  test('one that is not polled is asked on request, also where that comes during a call', async () => {
    const { bookingChanges } = opened.store;
    expect(await bookingChanges.request('p1', 'standard'), 'never asked yet').toBe(false);
    await report(await claimOne(), 'c1', null);
    expect(await claimAll()).toEqual([]);
    expect(await bookingChanges.request('p1', 'standard')).toBe(true);
    const claim = await claimOne();
    expect(await bookingChanges.request('p1', 'standard')).toBe(true);
    expect(await claimAll(), 'one at a time').toEqual([]);
    await report(claim, 'c2', null);
    await bookingChanges.postpone(await claimOne(), 3_600_000, true);
    expect(await claimAll()).toEqual([]);
  });

  test('a cursor that is lost has every stored booking read again', async () => {
    const { store } = opened;
    const booking = { id: 'b7', status: 'x', contact: { name: 'A' }, pax: 0, guests: [], bookedSessions: [] };
    const fetched = { form: 'native' as const, booking, warnings: [] };
    await store.bookings.save({ ...standard, bookingId: 'b7', fetched });
    const claim = await claimOne();
    await store.bookingChanges.report(claim, { bookingIds: [], missedCalls: true, cursor: null, waitMs: 0 });
    expect(await queuedIds()).toEqual([{ booking_id: 'b7' }]);
    expect(await claimOne()).toMatchObject({ cursor: null });
  });

  test('an uninstall forgets the cursor, and an installation that waits for approval is not asked', async () => {
    const { store, query } = opened;
    await report(await claimOne(), 'c1', 0);
    await store.installations.uninstall(standard);
    expect(await claimAll()).toEqual([]);
    expect(await query('select 1 from booking_changes')).toEqual([]);
    await store.pools.put({ id: 'p1', name: 'One', installs: 'approve' });
    await store.installations.install({ ...installRequest, madeBy: 'booking-system' });
    expect(await claimAll()).toEqual([]);
    await store.installations.approve('p1', 'standard', 'operator');
    expect(await claimOne()).toMatchObject({ cursor: null });
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'an uninstall and an install',
      async () => {
        await opened.store.installations.uninstall(standard);
        await opened.store.installations.install({ ...installRequest, accountId: 'another' });
      },
    ],
    [
      'a change of the address',
      () => opened.store.installations.setAddress('p1', 'standard', { environment: 'test' }),
    ],
  ])('changes requested before %s are not stored after it', async (_change, change) => {
    const former = await claimOne();
    await change();
    const next = await claimOne();
    await report(former, 'of the former one');
    expect(await queuedIds()).toEqual([]);
    await report(next, 'of the new one', 0);
    expect(await claimOne()).toMatchObject({ cursor: 'of the new one' });
  });

  test('only booking systems that report changes are polled, the longest due first', async () => {
    const { store, query } = opened;
    await store.pools.put({ id: 'p2', name: 'Two' });
    await store.installations.install({ ...installRequest, pool: 'p2' });
    await store.installations.install({
      ...installRequest,
      pool: 'p2',
      bookingSystem: 'other',
      madeBy: 'operator',
    });
    expect((await claimAll()).map(({ pool }) => pool).toSorted()).toEqual(['p1', 'p2']);
    await query(`update booking_changes set due_at = now() - interval '1 second' where pool = 'p2'`);
    await query(`update booking_changes set due_at = now() where pool = 'p1'`);
    expect(await store.bookingChanges.claim({ ...limits, limit: 1 })).toMatchObject([{ pool: 'p2' }]);
  });
});
