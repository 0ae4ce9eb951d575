import { ListTooSlow, maxPageBytes } from '@waiver-service/database';
import { maxAnswersBytes } from '@waiver-service/waivers';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox, openTestStore, openTransaction, testKey } from '../setup/open-test-store.ts';
import { readPages } from '../setup/read-pages.ts';

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
  const client = await openTransaction(url, `lock table ${table} in access exclusive mode`);
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

const answersOf = (bytes: number) => ({ name: 'Ann', own: 'x'.repeat(bytes - 24) });

async function storeWith(sizes: readonly number[]) {
  const opened = await openOutbox({ installed: false, webhook: false });
  for (const [place, bytes] of sizes.entries()) {
    await opened.store.waivers.create(waiver({ id: `w${place}`, answers: answersOf(bytes) }));
  }
  return opened;
}

test('pages of large records are limited by bytes, and together hold each record once', async () => {
  const sizes = Array.from({ length: 40 }, () => maxAnswersBytes);
  const { store } = await storeWith(sizes);
  const pages = await readPages((cursor) => store.waivers.list('p1', { limit: 100, cursor }));
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(maxPageBytes);
  expect(pages.flat().map(({ id }) => id)).toEqual(sizes.map((_, place) => `w${place}`));
  expect(pages.map(({ length }) => length)).toEqual([15, 15, 10]);
});

test('a record larger than a page gets a separate page', async () => {
  const { store, query } = await storeWith([100, 100, 100]);
  await query(
    "update waiver set answers = json_build_object('name', repeat('x', $1))::text where id = 'w1'",
    [maxPageBytes + 1],
  );
  const pages = await readPages((cursor) => store.waivers.list('p1', { limit: 100, cursor }));
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([['w0'], ['w1'], ['w2']]);
});

test('small records fill a page to its limit, and the last page has no next page', async () => {
  const { store } = await storeWith(Array.from({ length: 5 }, () => 100));
  const first = await store.waivers.list('p1', { limit: 3 });
  expect(first.items).toHaveLength(3);
  const second = await store.waivers.list('p1', { limit: 2, cursor: first.next ?? '' });
  expect(second).toMatchObject({ items: [{ id: 'w3' }, { id: 'w4' }], next: null });
  expect(await store.waivers.list('p1', { limit: 3, bookingId: 'none' })).toEqual({ items: [], next: null });
});
