import { beforeEach, expect, test } from 'vitest';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';

type Opened = Awaited<ReturnType<typeof openInstalledStore>>;
let opened: Opened;
beforeEach(async () => {
  opened = await openInstalledStore();
});

async function asked() {
  const installation = await opened.store.installations.get('p1', 'standard');
  if (installation === undefined) throw new Error('standard is installed');
  const { destinationId: destination, addressVersion } = installation;
  return { destination, addressVersion };
}

async function isStored(from: Awaited<ReturnType<typeof asked>>): Promise<boolean> {
  const read = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1', queried: from };
  await opened.store.bookings.save({ ...read, fetched: fetchedBooking() });
  return (await opened.store.bookings.get('p1', 'standard', 'b1')) !== undefined;
}

test('an answer of the present installation is stored', async () => {
  expect(await isStored(await asked())).toBe(true);
  await opened.store.installations.share({
    pool: 'p1',
    bookingSystem: 'standard',
    shareProperties: ['dateOfBirth'],
    allowedBy: 'me',
  });
  expect(await isStored(await asked())).toBe(true);
});

test.each([{ baseUrl: 'https://other.example.com' }, { environment: 'test' as const }])(
  'an answer requested before a change of the address is not stored: %o',
  async (change) => {
    const before = await asked();
    expect(await isStored(before)).toBe(true);
    await opened.store.installations.setAddress('p1', 'standard', change);
    expect(await opened.store.bookings.get('p1', 'standard', 'b1'), 'it is forgotten').toBeUndefined();
    expect(await isStored(before)).toBe(false);
    expect(await isStored(await asked())).toBe(true);
    // A change to what it is already changes nothing.
    await opened.store.installations.setAddress('p1', 'standard', change);
    expect(await opened.store.bookings.get('p1', 'standard', 'b1')).toBeDefined();
  },
);

test('an answer requested before another account was installed is not stored', async () => {
  const before = await asked();
  await opened.store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  await opened.store.installations.install({ ...installRequest, accountId: 'another' });
  expect(await isStored(before)).toBe(false);
  const alias = { pool: 'p1', bookingSystem: 'standard', alias: 'a', bookingId: 'b' };
  expect(await opened.store.bookings.addAlias({ ...alias, queried: before })).toBe('not-installed');
  expect(await opened.store.bookings.addAlias({ ...alias, queried: await asked() })).toBe('noted');
});

test('aliases and the cursor of changes are of the former address, too', async () => {
  const { store, query } = opened;
  await store.bookings.addAlias({ pool: 'p1', bookingSystem: 'standard', alias: 'a', bookingId: 'b' });
  await store.bookingChanges.claim({ bookingSystems: ['standard'], limit: 1, leaseMs: 1 });
  await store.installations.install({ ...installRequest, address: { environment: 'live' } });
  expect(await query('select 1 from booking_alias union all select 1 from booking_changes')).toEqual([]);
  await store.installations.install(installRequest);
  expect(await store.installations.get('p1', 'standard')).toMatchObject({ environment: 'live' });
});

test('a change of the address that installations have in common concerns those without another one', async () => {
  const { store, query } = opened;
  await store.pools.put({ id: 'p2', name: 'Two' });
  await store.installations.install({
    ...installRequest,
    pool: 'p2',
    address: { baseUrl: 'https://o.example' },
  });
  const saveAt = (pool: string) =>
    store.bookings.save({ pool, bookingSystem: 'standard', bookingId: 'b1', fetched: fetchedBooking() });
  const poolsStored = async () =>
    (await query('select pool from cached_booking order by pool')).map(({ pool }) => pool);
  await Promise.all([saveAt('p1'), saveAt('p2')]);
  await store.bookings.addAlias({ pool: 'p1', bookingSystem: 'standard', alias: 'a', bookingId: 'b1' });
  const before = await asked();
  await store.bookingSystems.put('standard', { baseUrl: 'https://moved.example' });
  expect(await poolsStored()).toEqual(['p2']);
  expect(await query('select 1 from booking_alias')).toEqual([]);
  expect(await isStored(before)).toBe(false);
  expect(await isStored(await asked())).toBe(true);
  // Neither other settings nor the same address change it.
  await store.bookingSystems.put('standard', { baseUrl: 'https://moved.example', settings: { region: 'n' } });
  expect(await poolsStored()).toEqual(['p1', 'p2']);
});
