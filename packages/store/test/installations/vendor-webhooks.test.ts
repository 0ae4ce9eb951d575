import { CannotDecrypt } from '@waiver-service/database';
import { expect, test } from 'vitest';
import type { DueWebhooks, Store } from '../../src/index.ts';
import {
  installRequest,
  openTestStore,
  openWithPool,
  poolKeyOf,
  standard,
} from '../setup/open-test-store.ts';

const leaseMs = 60_000;
const dayMs = 86_400_000;

async function openWithWebhooks() {
  const opened = await openWithPool();
  const { store } = opened;
  await store.vendorWebhooks.setBaseUrl('https://a.example');
  await install(store);
  return opened;
}
const install = (store: Store) => store.installations.install({ ...installRequest, registersWebhooks: true });
const uninstall = (store: Store) => store.installations.uninstall(standard);
const claimAll = (store: Store) =>
  store.vendorWebhooks.claim({ bookingSystems: ['standard'], limit: 10, leaseMs });
async function claim(store: Store): Promise<DueWebhooks[]> {
  return (await claimAll(store)).map((claimed) => {
    if (claimed instanceof CannotDecrypt) throw claimed;
    return claimed;
  });
}
async function claimOne(store: Store): Promise<DueWebhooks> {
  const [due, ...others] = await claim(store);
  if (due === undefined || others.length > 0) throw new Error(`claimed ${others.length} others`);
  return due;
}
async function register(store: Store) {
  const due = await claimOne(store);
  const address = await store.vendorWebhooks.begin(due);
  await store.vendorWebhooks.finish(due, { outcome: 'registered', waitMs: dayMs });
  return address;
}
const shown = async (store: Store) => (await store.installations.list('p1'))[0]?.webhooks;
const failure = { outcome: 'failed', waitMs: dayMs, code: 'down', message: 'm'.repeat(600) } as const;

test('an attempt is made by one host at a time, and for booking systems that it knows', async () => {
  const { store } = await openWithWebhooks();
  expect(await store.vendorWebhooks.claim({ bookingSystems: ['other'], limit: 10, leaseMs })).toEqual([]);
  const claimed = await Promise.all(Array.from({ length: 5 }, () => claim(store)));
  expect(claimed.flat()).toMatchObject([
    { pool: 'p1', attempts: 1, registered: undefined, removal: undefined },
  ]);
  const [due] = claimed.flat();
  if (due === undefined) throw new Error('nothing was claimed');
  expect(await claim(store)).toEqual([]);
  await store.vendorWebhooks.release(due);
  expect(await claimOne(store)).toMatchObject({ attempts: 2 });
});

test('nothing is claimed before a host has said where vendors call', async () => {
  const { store } = await openWithPool();
  await install(store);
  expect(await claim(store)).toEqual([]);
  await store.vendorWebhooks.setBaseUrl('https://a.example');
  expect(await claim(store)).toHaveLength(1);
});

test('the key in the address is encrypted, outlives reinstalls and ends with the uninstall', async () => {
  const { store, query } = await openWithWebhooks();
  const { key = '' } = (await register(store)) ?? {};
  expect(await store.installations.verifyPoolKey('standard', key)).toEqual({ pool: 'p1', pending: false });
  const rows = await query('select w::text as row from vendor_webhook w');
  expect(JSON.stringify(rows)).not.toContain(key);
  const former = await store.installations.install({ ...installRequest, keyOverlapMs: 0 });
  await store.installations.install({ ...installRequest, keyOverlapMs: 0, registersWebhooks: true });
  expect(await store.installations.verifyPoolKey('standard', poolKeyOf(former))).toBeUndefined();
  expect(await store.installations.verifyPoolKey('standard', key)).toBeDefined();
  expect((await register(store))?.key).toBe(key);
  await uninstall(store);
  expect(await store.installations.verifyPoolKey('standard', key)).toBeUndefined();
});

test('an operator sees the state, the last success and the last failure', async () => {
  const { store } = await openWithWebhooks();
  expect(await shown(store)).toEqual({ state: 'registering' });
  await store.vendorWebhooks.finish(await claimOne(store), failure);
  expect(await shown(store)).toEqual({
    state: 'failing',
    lastFailure: { at: expect.any(Date), code: 'down', message: 'm'.repeat(500) },
  });
  expect(await claim(store)).toEqual([]);
  await store.vendorWebhooks.checkSoon('standard');
  await register(store);
  expect(await shown(store)).toEqual({ state: 'registered', registeredAt: expect.any(Date) });
  await store.vendorWebhooks.checkSoon('standard');
  await store.vendorWebhooks.finish(await claimOne(store), { outcome: 'off', waitMs: dayMs });
  expect(await shown(store)).toBeUndefined();
});

test('a change during an attempt is not lost: another one follows at once', async () => {
  const { store } = await openWithWebhooks();
  const due = await claimOne(store);
  await install(store);
  await store.vendorWebhooks.finish(due, { outcome: 'registered', waitMs: dayMs });
  expect(await shown(store)).toEqual({ state: 'registering' });
  expect(await claim(store)).toHaveLength(1);
});

test('another base URL makes all due, and every address that was begun is a former one until it is done', async () => {
  const { store } = await openWithWebhooks();
  expect(await register(store)).toMatchObject({ baseUrl: 'https://a.example', formerBaseUrls: [] });
  await store.vendorWebhooks.setBaseUrl('https://a.example');
  expect(await claim(store)).toEqual([]);
  await store.vendorWebhooks.setBaseUrl('https://b.example');
  expect(await shown(store)).toMatchObject({ state: 'registering' });
  const due = await claimOne(store);
  await store.vendorWebhooks.begin(due);
  await store.vendorWebhooks.finish(due, failure);
  await store.vendorWebhooks.setBaseUrl('https://c.example');
  expect(await register(store)).toMatchObject({
    baseUrl: 'https://c.example',
    formerBaseUrls: ['https://a.example', 'https://b.example'],
  });
  await store.vendorWebhooks.checkSoon('standard');
  expect((await claimOne(store)).registered?.baseUrls).toEqual(['https://c.example']);
});

test('where the vendor is changed, they are registered there at once', async () => {
  const { store } = await openWithWebhooks();
  await register(store);
  await store.installations.setAddress('p1', 'standard', { environment: null });
  expect(await claim(store), 'nothing has changed').toEqual([]);
  await store.installations.setAddress('p1', 'standard', { environment: 'test' });
  expect(await shown(store)).toMatchObject({ state: 'registering' });
  expect(await claim(store)).toHaveLength(1);
});

test('an uninstall leaves a copy of the account to remove webhooks with, until they are removed', async () => {
  const { store, query } = await openWithWebhooks();
  const { key = '' } = (await register(store)) ?? {};
  await uninstall(store);
  const due = await claimOne(store);
  expect(due).toMatchObject({
    registered: { key, baseUrls: ['https://a.example'] },
    removal: {
      access: {
        account: { accountId: 'acc', apiKey: 'partner-key', information: { region: 'north' } },
        baseUrl: null,
        environment: null,
      },
    },
  });
  expect(due.removal?.giveUpAt.getTime()).toBeLessThanOrEqual(Date.now() + dayMs + 60_000);
  expect(JSON.stringify(await query('select w::text as row from vendor_webhook w'))).not.toContain(
    'partner-key',
  );
  expect(await store.vendorWebhooks.begin(due)).toBeUndefined();

  // Meanwhile it is installed again, with webhooks of its own.
  await install(store);
  const address = await store.vendorWebhooks.begin(await claimOne(store));
  expect(address?.key).not.toBe(key);
  await store.vendorWebhooks.finish(due, { outcome: 'removed' });
  expect(await query('select state from vendor_webhook')).toEqual([{ state: 'registering' }]);
});

test('an uninstall during an attempt has removed what the attempt may have registered', async () => {
  const { store } = await openWithWebhooks();
  const due = await claimOne(store);
  await store.vendorWebhooks.begin(due);
  await uninstall(store);
  expect(await claim(store)).toEqual([]);
  await store.vendorWebhooks.finish(due, { outcome: 'registered', waitMs: dayMs });
  expect(await claimOne(store)).toMatchObject({ removal: { access: { account: { accountId: 'acc' } } } });
});

test('where nothing was begun, an uninstall leaves nothing behind', async () => {
  const { store, query } = await openWithWebhooks();
  await claimOne(store);
  await uninstall(store);
  expect(await query('select from vendor_webhook')).toEqual([]);
});

test('a pending installation waits, and one from before the plugin registered webhooks is taken on', async () => {
  const { store } = await openTestStore();
  await store.vendorWebhooks.setBaseUrl('https://a.example');
  await store.pools.put({ id: 'p1', name: 'One', installs: 'approve' });
  await store.installations.install(installRequest);
  const manifest = {
    bookingSystem: 'standard',
    writeUnit: 'waiver',
    guestId: 'booking-guest-id',
    takesGuestUpdates: true,
    registersWebhooks: true,
  } as const;
  await store.installations.applyManifest(manifest);
  expect(await shown(store)).toEqual({ state: 'registering' });
  expect(await claim(store)).toEqual([]);
  await store.installations.approve('p1', 'standard', 'operator');
  expect(await claim(store)).toHaveLength(1);
});

test('webhooks whose key cannot be decrypted keep no others from being claimed', async () => {
  const { store, query } = await openWithWebhooks();
  await register(store);
  await query(`update vendor_webhook set key_encrypted = 'v1:lost:'`);
  await store.vendorWebhooks.checkSoon('standard');
  await store.pools.put({ id: 'p2', name: 'Two' });
  await store.installations.install({ ...installRequest, pool: 'p2', registersWebhooks: true });
  const claimed = await claimAll(store);
  expect(claimed.filter((each) => each instanceof CannotDecrypt)).toHaveLength(1);
  expect(claimed.filter((each) => 'pool' in each)).toMatchObject([{ pool: 'p2' }]);
  expect(await claimAll(store)).toEqual([]);
});
