import { expect, test } from 'vitest';
import type { InstallRequest, Store } from '../../src/index.ts';
import { fetchedBooking, waiver } from '../../src/testing/outbox-fixture.ts';
import { installRequest, openWithPool, standard } from '../setup/open-test-store.ts';

async function install(store: Store, change: Partial<InstallRequest> = {}) {
  const result = await store.installations.install({ ...installRequest, ...change });
  if (!('poolKey' in result)) throw new Error(result.outcome);
  return result;
}

test('an uninstall erases the account and its bookings, revokes its keys and cancels its messages, but not the waivers', async () => {
  const { store, query } = await openWithPool();
  const { poolKey, installation } = await install(store);
  const former = await install(store);
  await store.bookings.save({ ...standard, bookingId: 'b1', fetched: fetchedBooking() });
  await store.bookings.requestRefresh('p1', 'standard', ['b2']);
  await store.waivers.create(waiver({ id: 'w1' }));
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([{ state: 'waiting' }]);

  expect(await store.installations.uninstall({ ...standard, accountId: 'other' })).toEqual({
    outcome: 'other-account',
  });
  expect(await store.installations.verifyPoolKey('standard', poolKey)).toEqual({
    pool: 'p1',
    pending: false,
  });

  expect(await store.installations.uninstall({ ...standard, accountId: 'acc' })).toEqual({
    outcome: 'uninstalled',
  });
  for (const key of [poolKey, former.poolKey]) {
    expect(await store.installations.verifyPoolKey('standard', key)).toBeUndefined();
  }
  expect(await store.installations.get('p1', 'standard')).toBeUndefined();
  expect(await store.installations.list('p1')).toEqual([]);
  expect(await store.installations.configurationByDestination(installation.destinationId)).toBeUndefined();
  expect(await store.bookings.get('p1', 'standard', 'b1')).toBeUndefined();
  expect(await query('select account_id, account_encrypted from installation')).toEqual([
    { account_id: null, account_encrypted: null },
  ]);
  expect(await query('select 1 from cached_booking union all select 1 from booking_refresh')).toEqual([]);
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({ bookingId: 'b1' });
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([{ state: 'cancelled' }]);

  expect(await store.installations.uninstall(standard)).toEqual({ outcome: 'not-installed' });
  expect(await store.installations.uninstall({ bookingSystem: 'standard', pool: 'nowhere' })).toEqual({
    outcome: 'unknown-pool',
  });
});

test('after an uninstall any account can install; it shares nothing and receives new waivers', async () => {
  const { store } = await openWithPool();
  const first = await install(store);
  await store.installations.share({ ...standard, shareProperties: ['name', 'email'], allowedBy: 'operator' });
  await store.installations.share({ ...standard, shareDocument: true, allowedBy: 'operator' });
  expect(await store.installations.list('p1')).toMatchObject([
    { shareProperties: ['name', 'email'], shareDocument: true },
  ]);
  await store.installations.uninstall(standard);
  expect(
    await store.installations.share({ ...standard, shareProperties: ['name'], allowedBy: 'operator' }),
  ).toBeUndefined();

  const second = await install(store, { accountId: 77, apiKey: 'new' });
  expect(second.outcome).toBe('installed');
  // The former destination may still have messages, which are not for this account.
  expect(second.installation.destinationId).not.toBe(first.installation.destinationId);
  expect(await store.installations.list('p1')).toMatchObject([
    {
      bookingSystem: 'standard',
      accountId: 77,
      status: 'active',
      shareProperties: [],
      shareDocument: false,
      shareAllowedBy: null,
    },
  ]);
  await store.waivers.create(waiver({ id: 'w2' }));
  expect(await store.waivers.deliveriesOf('p1', 'w2')).toMatchObject([{ state: 'waiting' }]);
});

test('an uninstalled booking system cannot be approved, and does not make another one await approval', async () => {
  const { store } = await openWithPool();
  await install(store);
  await store.installations.uninstall(standard);
  expect(await store.installations.approve('p1', 'standard', 'operator')).toBeUndefined();
  expect(await store.installations.list('p1')).toEqual([]);
  const other = await store.installations.install({ ...installRequest, bookingSystem: 'standard-query' });
  expect(other).toMatchObject({ outcome: 'installed', pending: false });
});

test('an uninstall does not revoke the keys of the pool’s other booking systems', async () => {
  const { store } = await openWithPool();
  await install(store);
  const { poolKey } = await install(store, { bookingSystem: 'standard-query', madeBy: 'operator' });
  await store.installations.uninstall(standard);
  expect(await store.installations.verifyPoolKey('standard-query', poolKey)).toMatchObject({ pool: 'p1' });
});

test('concurrent installs and uninstalls leave the pool either installed or uninstalled', async () => {
  const { store, query } = await openWithPool();
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? store.installations.install(installRequest)
        : store.installations.uninstall({ ...standard, accountId: 'acc' }),
    ),
  );
  const [row] = await query(`select i.status, d.status as destination, count(k.id)::int as keys
    from installation i join destination d on d.id = i.destination_id
    left join pool_key k on k.pool = i.pool and k.booking_system = i.booking_system and k.expires_at is null
    group by i.status, d.status`);
  expect([
    { status: 'installed', destination: 'active', keys: 1 },
    { status: 'uninstalled', destination: 'closed', keys: 0 },
  ]).toContainEqual(row);
});
