import { beforeEach, expect, test } from 'vitest';
import { fetchedBooking } from '../setup/booking.ts';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';

type Opened = Awaited<ReturnType<typeof openInstalledStore>>;
let opened: Opened;
beforeEach(async () => {
  opened = await openInstalledStore();
});

async function asked() {
  const installation = await opened.store.installations.get('p1', 'standard');
  if (installation === undefined) throw new Error('standard is installed');
  const { destinationId: destination, baseUrl, environment } = installation;
  return { destination, baseUrl, environment };
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
  expect(await asked()).toMatchObject({ environment: 'live' });
});
