import { expect, test } from 'vitest';
import { CannotDecrypt, openStore, type Store } from '../../src/index.ts';
import { installRequest } from '../setup/installed-store.ts';
import { openTestStore, testKey } from '../setup/open-test-store.ts';

const configurationOf = async (store: Store, token: string) =>
  (await store.accessTokens.verify(token))?.configurationOf('standard');

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

test('what is set up is given again as long as it is not written, and counts at once when another host writes it', async () => {
  await using hosts = await openTwoHosts();
  const { store, other, token } = hosts;
  const first = await configurationOf(store, token);
  expect(first?.installation.account).toMatchObject({ accountId: 'acc', apiKey: 'partner-key' });
  expect(first?.settings).toBeUndefined();
  expect(await configurationOf(store, token)).toBe(first);

  await other.bookingSystems.put('standard', { baseUrl: 'https://one.example', settings: { secret: 's1' } });
  const second = await configurationOf(store, token);
  expect(second?.settings).toMatchObject({ baseUrl: 'https://one.example', settings: { secret: 's1' } });
  expect(await configurationOf(store, token)).toBe(second);

  // As often as one can: no two writes are taken for one.
  for (let change = 0; change < 20; change += 1) {
    const apiKey = `key-${change}`;
    await other.installations.install({ ...installRequest, apiKey });
    expect((await configurationOf(store, token))?.installation.account.apiKey).toBe(apiKey);
  }
  await other.installations.share('p1', 'standard', ['shoeSize'], 'admin');
  expect((await configurationOf(store, token))?.installation.shareProperties).toEqual(['shoeSize']);

  await other.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  expect(await configurationOf(store, token)).toBeUndefined();
  expect((await store.pools.setup('p1'))?.bookingSystems).toEqual([]);

  await other.installations.install({ ...installRequest, accountId: 'other' });
  expect((await configurationOf(store, token))?.installation.account.accountId).toBe('other');
});

test('a token that was revoked, or a pool that changed, on another host counts at once', async () => {
  await using hosts = await openTwoHosts();
  const { store, other, token, id } = hosts;
  expect(await store.accessTokens.verify(token)).toMatchObject({ pool: 'p1', prefillProperties: [] });
  await other.pools.put({ id: 'p1', name: 'One', prefillProperties: ['notes'] });
  expect(await store.accessTokens.verify(token)).toMatchObject({ prefillProperties: ['notes'] });
  expect(await store.pools.setup('p1')).toMatchObject({ pool: 'p1', prefillProperties: ['notes'] });
  await other.accessTokens.remove('p1', id);
  expect(await store.accessTokens.verify(token)).toBeUndefined();
});

test('of many who ask at once each is told of the own pool', async () => {
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
  const [byToken, byWrongToken, byPool] = [asked.slice(0, 40), asked.slice(40, 80), asked.slice(80)];
  expect(byToken.map((setup) => setup?.pool)).toEqual(pools);
  expect(byWrongToken).toEqual(pools.map(() => undefined));
  expect(byPool.map((setup) => setup?.pool)).toEqual([...pools, undefined]);
  for (const [index, setup] of byToken.entries()) {
    expect(setup?.bookingSystems).toEqual(['standard', 'standard-query'].slice(index % 3));
    const configuration = await setup?.configurationOf('standard-query');
    expect(configuration?.installation.account.apiKey).toBe(
      index % 3 === 2 ? undefined : `key-of-pool-${index}`,
    );
  }
});

test('a destination stands for what is set up of its installation, as long as it is installed', async () => {
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
  await other.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  expect(await ask()).toBeUndefined();
});

test('an account that no key opens is said so at each request', async () => {
  await using hosts = await openTwoHosts();
  const { query, store, token } = hosts;
  await query("update installation set account_encrypted = 'v1:gone:AAAA'");
  await expect(configurationOf(store, token)).rejects.toThrow(CannotDecrypt);
  await expect(configurationOf(store, token)).rejects.toThrow(CannotDecrypt);
});
