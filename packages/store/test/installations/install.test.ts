import { CannotDecrypt } from '@waiver-service/database';
import { beforeEach, describe, expect, test } from 'vitest';
import type { InstallRequest } from '../../src/index.ts';
import { fetchedBooking } from '../../src/testing/outbox-fixture.ts';
import {
  installRequest,
  openInstalledStore,
  openWithPool,
  poolKeyOf,
  standard,
} from '../setup/open-test-store.ts';

const hour = 3_600_000;
const request: InstallRequest = {
  ...installRequest,
  accountId: 1234,
  apiKey: 'planted-partner-key',
  information: { region: 'planted-information', nested: { deep: [true] } },
  keyOverlapMs: hour,
};

/** A key of `standard` in `p1` that has not ended. */
const valid = { pool: 'p1', pending: false };

describe('install', () => {
  test('stores the account with the JSON type of its id, and its secrets encrypted', async () => {
    const { store, query } = await openWithPool();
    const result = await store.installations.install(request);
    expect(result.outcome).toBe('installed');
    expect(poolKeyOf(result)).toMatch(/^wsp_[A-Za-z0-9_-]{43}$/);
    expect(await store.installations.get('p1', 'standard')).toMatchObject({
      account: { accountId: 1234, apiKey: request.apiKey, information: request.information },
      shareProperties: [],
      writeUnit: 'waiver',
      madeBy: 'booking-system',
    });
    const raw = JSON.stringify([
      await query('select * from installation'),
      await query('select *, encode(hash, $1) from pool_key', ['escape']),
    ]);
    expect(raw).toContain('1234');
    for (const planted of ['planted-partner-key', 'planted-information', poolKeyOf(result).slice(4)]) {
      expect(raw).not.toContain(planted);
    }
  });

  test.each([
    ['text', '0042'],
    ['an integer', 42],
    ['a fraction', 0.1],
    ['large', 1e21],
  ])('returns an accountId that is %s unchanged', async (_, accountId) => {
    const { store } = await openWithPool();
    await store.installations.install({ ...request, accountId });
    expect((await store.installations.get('p1', 'standard'))?.account.accountId).toBe(accountId);
    expect((await store.installations.list('p1'))[0]?.accountId).toBe(accountId);
  });

  test('again with the same account, as text or number, replaces the apiKey and issues a new pool key', async () => {
    const { store } = await openWithPool();
    const first = await store.installations.install(request);
    await store.installations.share({ ...standard, shareProperties: ['name'], allowedBy: 'operator' });
    const second = await store.installations.install({
      ...request,
      accountId: '1234',
      apiKey: 'rotated',
      information: {},
    });
    expect(second.outcome).toBe('reinstalled');
    expect(await store.installations.get('p1', 'standard')).toMatchObject({
      account: { accountId: '1234', apiKey: 'rotated', information: {} },
      shareProperties: ['name'],
    });
    expect(poolKeyOf(second)).not.toBe(poolKeyOf(first));
    for (const key of [poolKeyOf(first), poolKeyOf(second)]) {
      expect(await store.installations.verifyPoolKey('standard', key)).toEqual(valid);
    }
  });

  test('a former pool key expires after its overlap, which a further install does not prolong', async () => {
    const { store, query } = await openWithPool();
    const first = poolKeyOf(await store.installations.install(request));
    const second = poolKeyOf(await store.installations.install(request));
    const [{ overlap } = {}] = await query(
      'select extract(epoch from min(expires_at) - now())::int as overlap from pool_key',
    );
    expect(overlap).toBeLessThanOrEqual(3_600);
    await query("update pool_key set expires_at = now() + interval '1 s' where expires_at is not null");
    const third = poolKeyOf(await store.installations.install(request));
    const [{ left } = {}] = await query(
      'select extract(epoch from min(expires_at) - now())::int as left from pool_key',
    );
    expect(left).toBeLessThanOrEqual(1);
    await query("update pool_key set expires_at = now() where expires_at < now() + interval '2 s'");
    expect(await store.installations.verifyPoolKey('standard', first)).toBeUndefined();
    expect(await store.installations.verifyPoolKey('standard', second)).toEqual(valid);
    expect(await store.installations.verifyPoolKey('standard', third)).toEqual(valid);
    const last = poolKeyOf(await store.installations.install({ ...request, keyOverlapMs: 0 }));
    for (const ended of [first, second, third]) {
      expect(await store.installations.verifyPoolKey('standard', ended)).toBeUndefined();
    }
    expect(await store.installations.verifyPoolKey('standard', last)).toEqual(valid);
    expect(await query('select id from pool_key where hint like $1', [`%${first.slice(-4)}`])).toEqual([]);
  });

  test('changes nothing with another account, and creates nothing for an unknown pool', async () => {
    const { store, query } = await openWithPool();
    const first = poolKeyOf(await store.installations.install(request));
    expect(await store.installations.install({ ...request, accountId: 99, apiKey: 'theirs' })).toEqual({
      outcome: 'other-account',
    });
    expect((await store.installations.get('p1', 'standard'))?.account.apiKey).toBe('planted-partner-key');
    expect(await store.installations.verifyPoolKey('standard', first)).toEqual(valid);
    expect(await query('select expires_at from pool_key')).toEqual([{ expires_at: null }]);
    expect(await store.installations.install({ ...request, pool: 'nowhere' })).toEqual({
      outcome: 'unknown-pool',
    });
    expect(await query('select id from destination')).toHaveLength(1);
  });

  test('a new pool key expires only those of its own pool and booking system', async () => {
    const { store } = await openWithPool();
    await store.pools.put({ id: 'p2', name: 'Two' });
    const ofOtherPool = poolKeyOf(await store.installations.install({ ...request, pool: 'p2' }));
    const ofOtherSystem = poolKeyOf(
      await store.installations.install({
        ...request,
        bookingSystem: 'standard-query',
        madeBy: 'operator',
        keyOverlapMs: 0,
      }),
    );
    await store.installations.install(request);
    await store.installations.install({ ...request, keyOverlapMs: 0 });
    expect(await store.installations.verifyPoolKey('standard', ofOtherPool)).toMatchObject({ pool: 'p2' });
    expect(await store.installations.verifyPoolKey('standard-query', ofOtherSystem)).toMatchObject({
      pool: 'p1',
    });
  });

  test('an account cannot be moved to another installation’s row', async () => {
    const { store, query } = await openWithPool();
    await store.pools.put({ id: 'p2', name: 'Two' });
    await store.installations.install(request);
    await store.installations.install({ ...request, pool: 'p2', apiKey: 'other' });
    await query(`update installation set account_encrypted = (select account_encrypted from installation
      where pool = 'p1') where pool = 'p2'`);
    await expect(store.installations.get('p2', 'standard')).rejects.toThrow(CannotDecrypt);
  });
});

describe('concurrent installs', () => {
  test('result in one installation, one destination and valid keys', async () => {
    const { store, query } = await openWithPool();
    const results = await Promise.all(Array.from({ length: 8 }, () => store.installations.install(request)));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual([
      'installed',
      ...Array.from({ length: 7 }, () => 'reinstalled'),
    ]);
    expect(await query('select pool from installation')).toHaveLength(1);
    expect(await query('select id from destination')).toHaveLength(1);
    for (const result of results) {
      expect(await store.installations.verifyPoolKey('standard', poolKeyOf(result))).toEqual(valid);
    }
    expect(await query('select id from pool_key where expires_at is null')).toHaveLength(1);
  });

  test('of different accounts succeed for one of them', async () => {
    const { store } = await openWithPool();
    const results = await Promise.all(
      [1, 2, 3, 4].map((accountId) =>
        store.installations.install({ ...request, accountId, apiKey: `key-${accountId}` }),
      ),
    );
    expect(results.map(({ outcome }) => outcome).sort()).toEqual([
      'installed',
      'other-account',
      'other-account',
      'other-account',
    ]);
    const account = (await store.installations.get('p1', 'standard'))?.account;
    expect(account?.apiKey).toBe(`key-${account?.accountId}`);
  });
});

const allowing = { ...installRequest, information: { region: 'north', mayReissue: true } };

test('a permission is withdrawn once, and the rest of the account stays as it is', async () => {
  const { store } = await openInstalledStore();
  const { installations } = store;
  await installations.install(allowing);
  const before = await installations.get('p1', 'standard');
  expect(await installations.withdraw('p1', 'standard', 'mayReissue')).toBe(true);
  const after = await installations.get('p1', 'standard');
  expect(after).toEqual({
    ...before,
    account: { ...before?.account, information: { region: 'north', mayReissue: false } },
    updatedAt: expect.any(Date),
  });
  // A host connects again once the time of the last change is another one.
  expect(after?.updatedAt).not.toEqual(before?.updatedAt);
  expect(await installations.withdraw('p1', 'standard', 'mayReissue')).toBe(false);
  expect((await installations.get('p1', 'standard'))?.updatedAt).toEqual(after?.updatedAt);
});

test('nothing else of an account is changed, and nothing where nothing is installed', async () => {
  const { store } = await openInstalledStore();
  const { installations } = store;
  expect(await installations.withdraw('p1', 'standard', 'region')).toBe(false);
  expect(await installations.withdraw('p1', 'standard', 'missing')).toBe(false);
  expect(await installations.withdraw('p1', 'other', 'region')).toBe(false);
  expect((await installations.get('p1', 'standard'))?.account).toMatchObject({
    accountId: 'acc',
    apiKey: 'partner-key',
    information: { region: 'north' },
  });
  await installations.uninstall(standard);
  expect(await installations.withdraw('p1', 'standard', 'region')).toBe(false);
});

describe('answers of a former address', () => {
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
    const read = { ...standard, bookingId: 'b1', queried: from };
    await opened.store.bookings.save({ ...read, fetched: fetchedBooking() });
    return (await opened.store.bookings.get('p1', 'standard', 'b1')) !== undefined;
  }

  test('an answer of the present installation is stored', async () => {
    expect(await isStored(await asked())).toBe(true);
    await opened.store.installations.share({
      ...standard,
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
    await opened.store.installations.uninstall(standard);
    await opened.store.installations.install({ ...installRequest, accountId: 'another' });
    expect(await isStored(before)).toBe(false);
    const alias = { ...standard, alias: 'a', bookingId: 'b' };
    expect(await opened.store.bookings.addAlias({ ...alias, queried: before })).toBe('not-installed');
    expect(await opened.store.bookings.addAlias({ ...alias, queried: await asked() })).toBe('noted');
  });

  test('aliases and the cursor of changes are of the former address, too', async () => {
    const { store, query } = opened;
    await store.bookings.addAlias({ ...standard, alias: 'a', bookingId: 'b' });
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
    await store.bookings.addAlias({ ...standard, alias: 'a', bookingId: 'b1' });
    const before = await asked();
    await store.bookingSystems.put('standard', { baseUrl: 'https://moved.example' });
    expect(await poolsStored()).toEqual(['p2']);
    expect(await query('select 1 from booking_alias')).toEqual([]);
    expect(await isStored(before)).toBe(false);
    expect(await isStored(await asked())).toBe(true);
    // Neither other settings nor the same address change it.
    await store.bookingSystems.put('standard', {
      baseUrl: 'https://moved.example',
      settings: { region: 'n' },
    });
    expect(await poolsStored()).toEqual(['p1', 'p2']);
  });
});
