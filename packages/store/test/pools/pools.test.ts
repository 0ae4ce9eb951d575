import { setTimeout as delay } from 'node:timers/promises';
import { CannotDecrypt, MalformedCursor } from '@waiver-service/database';
import { expect, test, vi } from 'vitest';
import { openStore, type Store } from '../../src/index.ts';
import { installRequest, openTestStore, openWithPool, standard, testKey } from '../setup/open-test-store.ts';
import { readPages } from '../setup/read-pages.ts';

test('the pages hold each pool once, and a malformed cursor is rejected', async () => {
  const { store } = await openTestStore();
  const ids = ['a', 'b', "c'd", 'e"f', 'é'];
  for (const id of ids) await store.pools.put({ id, name: id });
  const pages = await readPages((cursor) => store.pools.list({ limit: 2, cursor }));
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  const seen = pages.flat().map(({ id }) => id);
  expect(seen.sort()).toEqual([...ids].sort());
  await expect(store.pools.list({ limit: 2, cursor: 'bm90IGpzb24' })).rejects.toThrow(MalformedCursor);
});

test('the list shows when a token was last used, to the minute, and never the token', async () => {
  const { store, query } = await openWithPool();
  const { id, token } = await store.accessTokens.create('p1');
  const [fresh] = (await store.accessTokens.list('p1', { limit: 10 })).items;
  expect(fresh).toMatchObject({ id, lastUsedAt: null, hint: `wst_…${token.slice(-4)}` });
  expect(fresh).not.toHaveProperty('hash');

  await store.accessTokens.verify(token);
  const [used] = (await store.accessTokens.list('p1', { limit: 10 })).items;
  expect(used?.lastUsedAt).toBeInstanceOf(Date);

  // A change of the pool: what was looked up for the first use is not used again.
  const lookUpAgain = () => store.pools.put({ id: 'p1', name: 'One' });
  // A second use within a minute is not recorded, a later one is.
  const [{ xmin: before } = {}] = await query('select xmin from access_token');
  await lookUpAgain();
  await store.accessTokens.verify(token);
  expect(await query('select xmin from access_token')).toEqual([{ xmin: before }]);
  await query("update access_token set last_used_at = now() - interval '61 s'");
  await lookUpAgain();
  await store.accessTokens.verify(token);
  const [again] = (await store.accessTokens.list('p1', { limit: 10 })).items;
  expect(Date.now() - (again?.lastUsedAt?.getTime() ?? 0)).toBeLessThan(30_000);
});

test('pages hold only the tokens of one pool, oldest first', async () => {
  const { store } = await openWithPool();
  await store.pools.put({ id: 'p2', name: 'Two' });
  const created: string[] = [];
  for (let count = 0; count < 3; count += 1) created.push((await store.accessTokens.create('p1')).id);
  await store.accessTokens.create('p2');
  const first = await store.accessTokens.list('p1', { limit: 2 });
  const second = await store.accessTokens.list('p1', { limit: 2, cursor: first.next ?? '' });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(created);
  expect(second.next).toBeNull();
  await expect(store.accessTokens.list('p1', { limit: 2, cursor: '%' })).rejects.toThrow(MalformedCursor);
});

test('a token has the scopes that it was created with, and ends in time although its setup is cached', async () => {
  const { store } = await openWithPool();
  const expiresAt = new Date(Date.now() + 4_000);
  const scopes = ['waivers:write' as const];
  const { id, token } = await store.accessTokens.create('p1', { name: 'kiosk', scopes, expiresAt });
  expect(await store.accessTokens.verify(token)).toMatchObject({ pool: 'p1', token: { id, scopes } });
  expect((await store.accessTokens.list('p1', { limit: 1 })).items).toMatchObject([
    { name: 'kiosk', scopes, expiresAt },
  ]);
  // Until the end, so that what is cached last would outlive it.
  while (Date.now() < expiresAt.getTime()) {
    await store.accessTokens.verify(token);
    await delay(20);
  }
  expect(await store.accessTokens.verify(token)).toBeUndefined();
  expect((await store.accessTokens.list('p1', { limit: 1 })).items).toMatchObject([{ id }]);
});

async function configurationOf(store: Store, token: string, bookingSystem = 'standard') {
  const version = (await store.accessTokens.verify(token))?.versionOf(bookingSystem);
  return version && store.installations.configurationByDestination(version.destination);
}

const versionOf = async (store: Store, token: string) =>
  (await store.accessTokens.verify(token))?.versionOf('standard')?.settingsVersion;

const settled = { interval: 5, timeout: 120_000 };

/** Two hosts on one database, with `standard` installed for the pool `p1`. */
async function openTwoHosts() {
  const keys = [testKey()];
  const { store: other, url, query } = await openTestStore({ keys });
  await other.pools.put({ id: 'p1', name: 'One' });
  await other.installations.install(installRequest);
  const { id, token } = await other.accessTokens.create('p1');
  const store = await openStore({ databaseUrl: url, encryptionKeys: keys });
  return { store, other, query, token, id, [Symbol.asyncDispose]: () => store.close() };
}

test('a setup is given again as long as nothing is written, and has another version for each write', async () => {
  await using hosts = await openTwoHosts();
  const { other: store, token } = hosts;
  // Once it listens: earlier notifications are not repeated.
  await vi.waitFor(async () => {
    const first = await store.accessTokens.verify(token);
    expect(await store.accessTokens.verify(token)).toBe(first);
  }, settled);
  expect(await configurationOf(store, token)).toMatchObject({
    installation: { account: { accountId: 'acc', apiKey: 'partner-key' } },
    settings: undefined,
  });

  const versions = new Set([await versionOf(store, token)]);
  await store.bookingSystems.put('standard', { baseUrl: 'https://one.example', settings: { secret: 's1' } });
  expect((await configurationOf(store, token))?.settings).toMatchObject({
    baseUrl: 'https://one.example',
    settings: { secret: 's1' },
  });

  // As often as one can: no two writes are taken for one.
  versions.add(await versionOf(store, token));
  for (let change = 0; change < 20; change += 1) {
    const apiKey = `key-${change}`;
    await store.installations.install({ ...installRequest, apiKey });
    versions.add(await versionOf(store, token));
    expect((await configurationOf(store, token))?.installation.account.apiKey).toBe(apiKey);
  }
  expect(versions.size).toBe(22);

  await store.installations.uninstall(standard);
  expect(await configurationOf(store, token)).toBeUndefined();
  expect((await store.pools.setup('p1'))?.bookingSystems).toEqual([]);

  await store.installations.install({ ...installRequest, accountId: 'other' });
  expect((await configurationOf(store, token))?.installation.account.accountId).toBe('other');
});

test('a setup read while a change was written is not used after it', async () => {
  await using hosts = await openTwoHosts();
  const { other: store, token } = hosts;
  for (let change = 0; change < 50; change += 1) {
    const name = `notes-${change}`;
    const asked = store.accessTokens.verify(token);
    await store.pools.put({ id: 'p1', name: 'One', prefillProperties: [name] });
    expect(await store.accessTokens.verify(token)).toMatchObject({ prefillProperties: [name] });
    await asked;
    expect(await store.accessTokens.verify(token)).toMatchObject({ prefillProperties: [name] });
  }
});

test('a token that is revoked, and a pool that changes, count at once on the host that did it', async () => {
  await using hosts = await openTwoHosts();
  const { other: store, token, id } = hosts;
  expect(await store.accessTokens.verify(token)).toMatchObject({ pool: 'p1', prefillProperties: [] });
  await store.pools.put({ id: 'p1', name: 'One', prefillProperties: ['notes'] });
  expect(await store.accessTokens.verify(token)).toMatchObject({ prefillProperties: ['notes'] });
  expect(await store.pools.setup('p1')).toMatchObject({ pool: 'p1', prefillProperties: ['notes'] });
  // Until the notices of the changes above have come, they clear the cache, and a revocation would count by chance.
  await vi.waitFor(async () => {
    const cached = await store.accessTokens.verify(token);
    await delay(100);
    expect(await store.accessTokens.verify(token)).toBe(cached);
  }, settled);
  await store.accessTokens.remove('p1', id);
  expect(await store.accessTokens.verify(token)).toBeUndefined();
});

test('a change by another host counts on its notification, well before the cache expires', async () => {
  await using hosts = await openTwoHosts();
  const { store, other, token, id } = hosts;
  const seenAfterMs: number[] = [];
  // A busy machine may be slow to tell of one of them; without the notice, each takes the second.
  for (let change = 0; change < 10 && !seenAfterMs.some((ms) => ms < 500); change += 1) {
    const prefillProperties = [`notes-${change}`];
    await store.accessTokens.verify(token);
    const changedAt = performance.now();
    await other.pools.put({ id: 'p1', name: 'One', prefillProperties });
    await vi.waitFor(
      async () => expect(await store.accessTokens.verify(token)).toMatchObject({ prefillProperties }),
      settled,
    );
    seenAfterMs.push(performance.now() - changedAt);
  }
  expect(Math.min(...seenAfterMs)).toBeLessThan(500);
  await other.accessTokens.remove('p1', id);
  await vi.waitFor(async () => expect(await store.accessTokens.verify(token)).toBeUndefined(), settled);
});

test('a change whose notification is lost counts after a second', async () => {
  await using hosts = await openTwoHosts();
  const { store, query, token } = hosts;
  expect(await store.accessTokens.verify(token)).toMatchObject({ pool: 'p1' });
  // No host of ours did it, so it is not announced.
  await query('delete from access_token');
  await vi.waitFor(async () => expect(await store.accessTokens.verify(token)).toBeUndefined(), {
    interval: 20,
    timeout: 120_000,
  });
});

test('each of many concurrent callers gets its own pool', async () => {
  const { store } = await openTestStore();
  const pools = Array.from({ length: 40 }, (_, index) => `pool-${index}`);
  const tokens = await Promise.all(
    pools.map(async (id, index) => {
      await store.pools.put({ id, name: id });
      for (const bookingSystem of ['standard', 'standard-query'].slice(index % 3)) {
        await store.installations.install({
          ...installRequest,
          pool: id,
          bookingSystem,
          madeBy: 'operator',
          apiKey: `key-of-${id}`,
        });
      }
      return (await store.accessTokens.create(id)).token;
    }),
  );
  const asked = await Promise.all([
    ...tokens.map((token) => store.accessTokens.verify(token)),
    ...tokens.map((token) => store.accessTokens.verify(`${token}x`)),
    ...pools.map((id) => store.pools.setup(id)),
    store.pools.setup('nowhere'),
  ]);
  const byToken = asked.slice(0, 40);
  const byWrongToken = asked.slice(40, 80);
  const byPool = asked.slice(80);
  expect(byToken.map((setup) => setup?.pool)).toEqual(pools);
  expect(byWrongToken).toEqual(pools.map(() => undefined));
  expect(byPool.map((setup) => setup?.pool)).toEqual([...pools, undefined]);
  for (const [index, setup] of byToken.entries()) {
    expect(setup?.bookingSystems).toEqual(['standard', 'standard-query'].slice(index % 3));
    const configuration = await configurationOf(store, tokens[index] ?? '', 'standard-query');
    expect(configuration?.installation.account.apiKey).toBe(
      index % 3 === 2 ? undefined : `key-of-pool-${index}`,
    );
  }
});

test('a destination has the configuration of its installation while that is installed', async () => {
  await using hosts = await openTwoHosts();
  const { store, other, token } = hosts;
  const configuration = await configurationOf(store, token);
  const destination = configuration?.installation.destinationId ?? '';
  const ask = () => store.installations.configurationByDestination(destination);
  expect(await Promise.all([ask(), ask(), store.installations.configurationByDestination('none')])).toEqual([
    configuration,
    configuration,
    undefined,
  ]);
  await other.installations.install({ ...installRequest, apiKey: 'changed' });
  expect((await ask())?.installation.account.apiKey).toBe('changed');
  await other.installations.uninstall(standard);
  expect(await ask()).toBeUndefined();
});

test('an account that no key opens is said so at each request', async () => {
  await using hosts = await openTwoHosts();
  const { query, store, token } = hosts;
  await query("update installation set account_encrypted = 'v1:gone:AAAA'");
  await expect(configurationOf(store, token)).rejects.toThrow(CannotDecrypt);
  await expect(configurationOf(store, token)).rejects.toThrow(CannotDecrypt);
});
