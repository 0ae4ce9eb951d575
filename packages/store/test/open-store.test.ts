import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EncryptionKey, WrongEncryptionKeys } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore, rotateEncryptionKeys, type StoreEvent } from '../src/index.ts';
import { installRequest, openTestStore, poolKeyOf, testKey } from './setup/open-test-store.ts';

const patience = { timeout: 60_000, interval: 100 };

test('is ready until it is closed, and can be closed twice', async () => {
  const { store } = await openTestStore();
  expect(await store.ready()).toEqual({ isReady: true });
  await Promise.all([store.close(), store.close()]);
  expect(await store.ready()).toEqual({ isReady: false });
});

test('survives connections that the server closed, and reports them', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const events: StoreEvent[] = [];
  const store = await openStore({
    databaseUrl: database.url,
    encryptionKeys: [testKey()],
    onNotice: (event) => events.push(event),
  });
  await store.pools.put({ id: 'p1', name: 'One' });
  const other = await openTestStore();
  const name = new URL(database.url.replace('@/', '@host/')).pathname.slice(1);
  // Only the loss of an idle connection of the pool is reported. One in use fails its statement; the listening one is replaced.
  await vi.waitFor(async () => {
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = $1 and application_name like 'waiver-service %' and state = 'idle'`,
      [name],
    );
    expect(events.map(({ kind }) => kind)).toContain('connection-lost');
  }, patience);
  // Until the end of each has been heard of.
  expect(await vi.waitFor(() => store.pools.get('p1'), patience)).toBeDefined();
  await vi.waitFor(async () => expect(await store.ready()).toEqual({ isReady: true }), patience);
  await store.close();
});

test('a store that cannot be opened leaves no connection behind', async () => {
  const keys = [testKey()];
  const { store, url, query } = await openTestStore({ keys });
  await store.close();
  await query('alter table dispatcher rename to no_dispatcher');
  const opened = openStore({ databaseUrl: url, encryptionKeys: keys, soleHost: true });
  await expect(opened).rejects.toThrow('dispatcher');
  const open = () =>
    query(`select from pg_stat_activity
      where datname = current_database() and application_name like 'waiver-service %'`);
  await vi.waitFor(async () => expect(await open()).toEqual([]), patience);
});

test('a store whose database is gone soon reports that it is not ready', async () => {
  const database = await createTestDatabase();
  const store = await openStore({ databaseUrl: database.url, encryptionKeys: [testKey()] });
  await database.drop();
  const started = Date.now();
  expect(await store.ready()).toEqual({ isReady: false });
  expect(Date.now() - started).toBeLessThan(15_000);
  await store.close();
});

test('after a failover, connections to the demoted primary are replaced', async () => {
  const { store, url, query } = await openTestStore();
  const { query: asOther } = await openTestStore();
  const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
  const cut = () =>
    asOther(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'waiver-service %'",
      [name],
    );
  const put = (id: string) => store.pools.put({ id, name: 'One' });
  await put('before');
  // From now on new connections are read-only, as if to a demoted primary.
  await query(`alter database ${name} set default_transaction_read_only = on`);
  await cut();
  await vi.waitFor(() => expect(put('during')).rejects.toMatchObject({ code: '25006' }), patience);
  expect(await store.ready()).toEqual({ isReady: false });
  await Promise.allSettled(Array.from({ length: 10 }, (_, index) => put(`during-${index}`)));

  await query(`alter database ${name} reset default_transaction_read_only`);
  await vi.waitFor(() => put('after'), patience);
  await vi.waitFor(async () => expect(await store.ready()).toEqual({ isReady: true }), patience);
  const names = Array.from({ length: 20 }, (_, index) => `after-${index}`);
  await vi.waitFor(() => Promise.all(names.map(put)), patience);
});

test('a store that only reads notices a failover too', async () => {
  const { store, url, query } = await openTestStore();
  const { query: asOther } = await openTestStore();
  const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
  await query(`alter database ${name} set default_transaction_read_only = on`);
  await asOther(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'waiver-service %'",
    [name],
  );
  await vi.waitFor(async () => expect(await store.ready()).toEqual({ isReady: false }), patience);
  await query(`alter database ${name} reset default_transaction_read_only`);
  await vi.waitFor(async () => expect(await store.ready()).toEqual({ isReady: true }), patience);
});

test('the data folder holds no secret in plaintext', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waiver-service-store-'));
  // Started by root, the server runs as another user, who must be able to enter.
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, onMessage: () => {} });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });
  const key = testKey();
  const store = await openStore({ databaseUrl: server.url, encryptionKeys: [key] });
  await store.pools.put({ id: 'p1', name: 'readable-pool-name' });
  await store.bookingSystems.put('standard', { settings: { clientSecret: 'planted-setting' } });
  const installed = await store.installations.install({
    ...installRequest,
    apiKey: 'planted-partner-key',
    information: { secret: 'planted-information' },
  });
  const { endpoint, signingSecret } = await store.webhooks.create('p1', {
    url: 'https://receiver.example/',
    auth: { type: 'basic', username: 'planted-username', password: 'planted-password' },
    properties: [],
    signing: true,
  });
  await store.webhooks.update('p1', endpoint.id, {
    auth: { type: 'header', name: 'X-Key', value: 'planted-header-value' },
  });
  const rotated = await store.webhooks.rotateSecret('p1', endpoint.id);
  const { token } = await store.accessTokens.create('p1');
  const installKey = await store.installKeys.create('standard');
  await store.installKeys.verify('standard', installKey.key);
  await store.close();
  await server.stop();

  const planted = [
    'planted',
    poolKeyOf(installed),
    token,
    installKey.key,
    String(signingSecret),
    String(rotated?.signingSecret),
    key.key.toString('base64'),
    key.key.toString('hex'),
  ];
  const found: string[] = [];
  let sawReadable = false;
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name), 'latin1');
    sawReadable ||= bytes.includes('readable-pool-name');
    found.push(
      ...planted.filter((secret) => bytes.includes(secret)).map((secret) => `${entry.name}: ${secret}`),
    );
  }
  expect(sawReadable).toBe(true);
  expect(found).toEqual([]);
});

async function openAgain() {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  const open = async (...encryptionKeys: EncryptionKey[]) => {
    const store = await openStore({ databaseUrl: url, encryptionKeys });
    await store.close();
  };
  return { url, open };
}

test('keys other than those of the database are rejected with advice, and change nothing', async () => {
  const { open } = await openAgain();
  const key = testKey('k1');
  await open(key);
  const unknown = open(testKey('k2'));
  await expect(unknown).rejects.toThrow(WrongEncryptionKeys);
  await expect(unknown).rejects.toThrow(/"k1", which is not among ENCRYPTION_KEYS.* Start with the keys/);
  await expect(open(testKey('k1'))).rejects.toThrow(/another key under that id/);
  await open(key);
});

test('keys can be rotated one after the other', async () => {
  const { url, open } = await openAgain();
  const one = testKey('k1');
  const two = testKey('k2');
  const three = testKey('k3');
  await open(one);
  await open(two, one);
  await open(one, two);
  await open(two, one);
  // A key is taken away once nothing is encrypted with it any more.
  await rotateEncryptionKeys({ features: [], databaseUrl: url, encryptionKeys: [two, one] });
  await open(two);
  await open(three, two);
  await expect(open(one, two)).rejects.toThrow(/"k3"/);
});

test('of hosts that open an empty database at once with different keys, one starts', async () => {
  const { open } = await openAgain();
  const outcomes = await Promise.allSettled([open(testKey('a')), open(testKey('b')), open(testKey('c'))]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
