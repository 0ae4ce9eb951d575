import { ListTooSlow } from '@waiver-service/database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openTestStore, testKey } from '../setup/open-test-store.ts';

/** A store with few connections, with a record in two pools, beside the one that the database was made by. */
async function openNarrow() {
  const key = testKey();
  const { url } = await openTestStore({ keys: [key] });
  const store = await openStore({ databaseUrl: url, encryptionKeys: [key], maxConnections: 4 });
  onTestFinished(() => store.close());
  for (const pool of ['loud', 'quiet']) {
    await store.pools.put({ id: pool, name: pool });
    await store.waivers.create({ ...waiver({ id: `of-${pool}` }), pool });
  }
  return { store, url };
}

/** Has reads of a table wait, as if they took long. */
async function lock(url: string, table: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  onTestFinished(() => client.end());
  return () => client.query('rollback');
}

test('a search that takes too long fails with ListTooSlow and frees its connection', async () => {
  const { store, url } = await openNarrow();
  const unlock = await lock(url, 'waiver_search');
  const search = () => store.waivers.search('loud', { text: 'ann', limit: 10 });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, search));
  expect(outcomes.map((each) => each.status === 'rejected' && each.reason)).toEqual(
    Array.from({ length: 10 }, () => expect.any(ListTooSlow)),
  );
  expect((await store.waivers.list('quiet', { limit: 10 })).items).toHaveLength(1);
  await unlock();
  expect((await search()).items).toHaveLength(1);
});

test('the feed and lists of deliveries are limited, too', async () => {
  const { store, url } = await openNarrow();
  const unlock = await lock(url, 'delivery');
  await expect(store.deliveries.list({ pools: ['loud'] }, { limit: 10 })).rejects.toBeInstanceOf(ListTooSlow);
  await unlock();
  const unlockWaivers = await lock(url, 'waiver');
  const signal = new AbortController().signal;
  await expect(store.changes.read('loud', { limit: 10, waitMs: 0, signal })).rejects.toBeInstanceOf(
    ListTooSlow,
  );
  await unlockWaivers();
});
