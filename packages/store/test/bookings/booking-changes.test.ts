import { beforeEach, expect, test } from 'vitest';
import { maxQueuedRefreshes } from '../../src/bookings/refresh-queue.ts';
import type { ChangesClaim } from '../../src/index.ts';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';

type Opened = Awaited<ReturnType<typeof openInstalledStore>>;
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
const queued = () => opened.query('select booking_id from booking_refresh order by booking_id');
const makeDue = () => opened.query(`update booking_changes set due_at = now() where not claimed`);

test('a new installation is polled without a cursor, and then from the last one', async () => {
  const first = await claimOne();
  expect(first).toMatchObject({ pool: 'p1', bookingSystem: 'standard', cursor: null, failures: 0 });
  expect(await claimAll(), 'one host at a time').toEqual([]);
  await report(first);
  expect(await queued()).toEqual([{ booking_id: 'b1' }, { booking_id: 'b2' }]);
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
  expect(await queued()).toEqual([]);
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
  await store.bookings.save({ pool: 'p1', bookingSystem: 'standard', bookingId: 'b7', fetched });
  const claim = await claimOne();
  await store.bookingChanges.report(claim, { bookingIds: [], missedCalls: true, cursor: null, waitMs: 0 });
  expect(await queued()).toEqual([{ booking_id: 'b7' }]);
  expect(await claimOne()).toMatchObject({ cursor: null });
});

test('an uninstall forgets the cursor, and an installation that waits for approval is not asked', async () => {
  const { store, query } = opened;
  await report(await claimOne(), 'c1', 0);
  await store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
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
      await opened.store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
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
  expect(await queued()).toEqual([]);
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
