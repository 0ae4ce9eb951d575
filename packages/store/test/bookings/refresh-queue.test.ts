import { expect, test } from 'vitest';
import { openInstalledStore } from '../setup/installed-store.ts';

const leaseMs = 60_000;

test('a booking waits once however often it is asked for, and is done when it was read', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1', 'b2', 'b1']);
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  await store.bookings.requestRefresh('p1', 'not-installed', ['b9']);
  const claimed = await store.bookings.claimRefreshes(10, leaseMs);
  expect(claimed.map(({ bookingId }) => bookingId).sort()).toEqual(['b1', 'b2']);
  expect(claimed[0]).toMatchObject({ pool: 'p1', bookingSystem: 'standard', attempts: 1 });
  expect(await store.bookings.claimRefreshes(10, leaseMs)).toEqual([]);
  for (const request of claimed) await store.bookings.finishRefresh(request, { ok: true });
  await store.bookings.requestRefresh('p1', 'standard', []);
  expect(await store.bookings.claimRefreshes(10, 0)).toEqual([]);
});

test('a change that is told while the booking is being read is read as well', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  const [first] = await store.bookings.claimRefreshes(1, leaseMs);
  if (first === undefined) throw new Error('nothing to claim');
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  await store.bookings.finishRefresh(first, { ok: true });
  expect(await store.bookings.claimRefreshes(1, leaseMs)).toMatchObject([{ bookingId: 'b1', attempts: 1 }]);
});

test('a request comes again when its time has come, five times in all', async () => {
  const { store } = await openInstalledStore();
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  for (let attempts = 1; attempts <= 5; attempts += 1) {
    const [request] = await store.bookings.claimRefreshes(1, leaseMs);
    expect(request).toMatchObject({ bookingId: 'b1', attempts });
    if (request === undefined) throw new Error('nothing to claim');
    await store.bookings.finishRefresh(request, { ok: false });
  }
  expect(await store.bookings.claimRefreshes(1, leaseMs)).toEqual([]);
  await store.bookings.requestRefresh('p1', 'standard', ['b1']);
  const [again] = await store.bookings.claimRefreshes(1, leaseMs);
  expect(again).toMatchObject({ attempts: 1 });
  if (again === undefined) throw new Error('nothing to claim');
  await store.bookings.finishRefresh(again, { ok: false, waitMs: 3_600_000 });
  expect(await store.bookings.claimRefreshes(1, leaseMs)).toEqual([]);
});

test('what a lost worker held comes again, and several workers never hold one booking', async () => {
  const { store } = await openInstalledStore();
  const bookingIds = Array.from({ length: 30 }, (_, index) => `b${index}`);
  await store.bookings.requestRefresh('p1', 'standard', bookingIds);
  expect(await store.bookings.claimRefreshes(30, 0)).toHaveLength(30);
  const claims = await Promise.all(
    Array.from({ length: 6 }, () => store.bookings.claimRefreshes(10, leaseMs)),
  );
  const claimed = claims.flat().map(({ bookingId }) => bookingId);
  expect([...claimed].sort()).toEqual([...new Set(claimed)].sort());
  const rest = await store.bookings.claimRefreshes(30, leaseMs);
  expect(claimed.length + rest.length).toBe(30);
});

test('many askers at once do not stand in each other’s way', async () => {
  const { store } = await openInstalledStore();
  const bookingIds = Array.from({ length: 20 }, (_, index) => `b${index}`);
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      store.bookings.requestRefresh('p1', 'standard', index % 2 === 0 ? bookingIds : bookingIds.toReversed()),
    ),
  );
  expect(await store.bookings.claimRefreshes(100, leaseMs)).toHaveLength(20);
});
