import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';

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
  expect(claimed[0]).toMatchObject({ pool: 'p1', bookingSystem: 'standard', attempts: 1 });
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
