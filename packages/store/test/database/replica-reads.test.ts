import { expect, onTestFinished, test, vi } from 'vitest';
import { createReplicaReads } from '../../src/database/replica-reads.ts';
import { openStore, type StoreEvent } from '../../src/index.ts';
import { createTestDatabase } from '../../src/testing/index.ts';
import { openDatabase } from '../setup/open-database.ts';
import { testKey } from '../setup/open-test-store.ts';

/** A primary with a pool and a waiver, and a database that stands for a replica which has not seen them yet. */
async function openWithReplica(readUrl?: string) {
  const [primary, behind] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const notices: StoreEvent[] = [];
  const store = await openStore({
    databaseUrl: primary.url,
    readUrl: readUrl ?? behind.url,
    encryptionKeys: [testKey()],
    onNotice: (event) => notices.push(event),
  });
  onTestFinished(async () => {
    await store.close();
    await Promise.all([primary.drop(), behind.drop()]);
  });
  await store.pools.put({ id: 'p1', name: 'One' });
  await store.waivers.create({ id: 'w1', pool: 'p1', answers: { name: 'Ann' } });
  return { store, notices };
}

const page = { limit: 10 };

test('lists and overviews come from the replica; a write is read back from the primary', async () => {
  const { store, notices } = await openWithReplica();
  expect((await store.waivers.list('p1', page)).items).toEqual([]);
  expect((await store.waivers.search('p1', { ...page, text: 'Ann' })).items).toEqual([]);
  expect((await store.deliveries.list({}, page)).items).toEqual([]);
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({ id: 'w1' });
  const { signal } = new AbortController();
  // It is told once no transaction of other tests on the server is older.
  expect(await store.changes.read('p1', { limit: 10, waitMs: 20_000, signal })).toMatchObject({
    items: [{ id: 'w1' }],
  });
  expect(notices).toEqual([]);
});

test('the primary serves lists while the replica is down, which is reported once', async () => {
  const { store, notices } = await openWithReplica('postgres://nobody:secret@127.0.0.1:1/nowhere');
  for (let time = 0; time < 3; time += 1) {
    expect((await store.waivers.list('p1', page)).items).toMatchObject([{ id: 'w1' }]);
  }
  expect(notices.map(({ kind }) => kind)).toEqual(['replica-failed']);
  expect(JSON.stringify(notices)).not.toContain('secret');
});

test('a request that the primary refuses as well says nothing against the replica', async () => {
  const { store, notices } = await openWithReplica();
  await expect(store.waivers.list('p1', { ...page, cursor: 'nonsense' })).rejects.toThrow('cursor');
  expect((await store.waivers.list('p1', page)).items).toEqual([]);
  expect(notices).toEqual([]);
});

test('one query waits for a replica that has vanished, and not all of them', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const primary = openDatabase('postgres://127.0.0.1:1/nowhere');
  const replica = openDatabase('postgres://127.0.0.1:1/nowhere');
  const failures: unknown[] = [];
  const onReplica = createReplicaReads(primary, replica, (error) => failures.push(error));
  let replicaAnswer = () => Promise.reject<string>(new Error('gone'));
  const read = () => onReplica(async (asked) => (asked === replica ? replicaAnswer() : 'primary'));
  expect(await read()).toBe('primary');

  const { promise: timeout, reject: endWait } = Promise.withResolvers<string>();
  vi.advanceTimersByTime(5_000);
  replicaAnswer = () => timeout;
  const trial = read();
  vi.advanceTimersByTime(60_000);
  expect(await Promise.all([read(), read()])).toEqual(['primary', 'primary']);
  endWait(new Error('a timeout'));
  expect(await trial).toBe('primary');
  expect(await read()).toBe('primary');

  vi.advanceTimersByTime(5_000);
  replicaAnswer = async () => 'replica';
  expect([await read(), await read()]).toEqual(['replica', 'replica']);
  expect(failures).toHaveLength(1);
});
