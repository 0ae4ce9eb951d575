import type { WaiverRecord } from '@waiver-service/waivers';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createChangeWatcher, maxWaitingPerPool } from '../../src/changes/changes.ts';
import { openStore, type Store } from '../../src/index.ts';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openDatabase, openOutbox, openSession, openTransaction, testKey } from '../setup/open-test-store.ts';

const { signal } = new AbortController();

async function read(
  store: Store,
  after?: string,
  options: { pool?: string; limit?: number; waitMs?: number } = {},
) {
  const { pool = 'p1', limit = 100, waitMs = 0 } = options;
  const page = await store.changes.read(pool, { after, limit, waitMs, signal });
  if ('outcome' in page) throw new Error(page.outcome);
  return page;
}

/** Reads to the end, which other databases of the server can put off for a moment. */
async function readAll(store: Store, expected: number, after?: string): Promise<WaiverRecord[]> {
  const items: WaiverRecord[] = [];
  let next = after;
  await expect
    .poll(
      async () => {
        const page = await read(store, next, { limit: 2 });
        items.push(...page.items);
        next = page.next;
        return items.length;
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBeGreaterThanOrEqual(expected);
  return items;
}

const change = (id: string) =>
  `update waiver set version = version + 1, updated_at = now(), changed_in = pg_current_xact_id() where id = '${id}'`;

test('a change that commits late is not skipped: later ones wait for it', async () => {
  const { store, url } = await openOutbox();
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  expect((await readAll(store, 2)).map(({ id }) => id)).toEqual(['w1', 'w2']);
  const { next } = await read(store, undefined, { limit: 100 });

  const late = await openTransaction(url, change('w1'));
  await store.waivers.update('p1', 'w2', { currentPage: 'two' });
  await store.waivers.create(waiver({ id: 'w3' }));
  expect(await read(store, next)).toEqual({ items: [], next });
  await late.query('commit');
  const items = await readAll(store, 3, next);
  expect(items.map(({ id, version }) => `${id} ${version}`)).toEqual(['w1 2', 'w2 2', 'w3 1']);
});

const action = fc.record({
  session: fc.nat(2),
  kind: fc.constantFrom('change', 'change', 'commit', 'rollback', 'read' as const),
});

test('in whatever order transactions commit, a reader sees each record’s last version, and no version twice', async () => {
  const { store, url } = await openOutbox({ installed: false, webhook: false });
  const sessions = await Promise.all([0, 1, 2].map(() => openSession(url)));
  const ids = sessions.map((_, place) => `w${place}`);
  for (const id of ids) await store.waivers.create(waiver({ id }));
  const versions = new Map(ids.map((id) => [id, 1]));
  let next: string | undefined;
  const seen = new Map<string, number>();
  const take = async () => {
    const page = await read(store, next, { limit: 2 });
    next = page.next;
    for (const { id, version } of page.items) {
      expect(version).toBeGreaterThan(seen.get(id) ?? 0);
      seen.set(id, version);
    }
  };
  const property = fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 30 }), async (actions) => {
    const open = new Map<number, number>();
    const end = async (place: number, how: 'commit' | 'rollback') => {
      const changed = open.get(place);
      if (changed === undefined) return;
      await sessions[place]?.query(how);
      open.delete(place);
      const id = `w${place}`;
      if (how === 'commit') versions.set(id, (versions.get(id) ?? 0) + changed);
    };
    for (const { session: place, kind } of actions) {
      if (kind === 'read') await take();
      else if (kind !== 'change') await end(place, kind);
      else {
        if (!open.has(place)) await sessions[place]?.query('begin');
        await sessions[place]?.query(change(`w${place}`));
        open.set(place, (open.get(place) ?? 0) + 1);
      }
    }
    for (const place of [...open.keys()]) await end(place, 'commit');
    await expect
      .poll(
        async () => {
          await take();
          return [...seen].toSorted();
        },
        { timeout: 60_000, interval: 20 },
      )
      .toEqual([...versions].toSorted());
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

test('a waiting reader is answered by a change on any host; readers of other pools go on waiting', async () => {
  const key = testKey();
  const { store, url } = await openOutbox({ keys: [key], installed: false, webhook: false });
  const second = await openStore({ databaseUrl: url, encryptionKeys: [key] });
  onTestFinished(() => second.close());
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const { next } = await read(store);
  let otherEnded = false;
  const other = read(store, undefined, { pool: 'p2', waitMs: 30_000 }).then((page) => {
    otherEnded = true;
    return page;
  });
  const waiting = read(store, next, { waitMs: 30_000 });
  await second.waivers.create(waiver({ id: 'w1' }));
  expect((await waiting).items).toMatchObject([{ id: 'w1' }]);
  expect(otherEnded).toBe(false);
  await store.changes.stopWaiting();
  expect((await other).items).toEqual([]);
  expect((await read(store, next, { waitMs: 30_000 })).items).toMatchObject([{ id: 'w1' }]);
  expect((await read(store, undefined, { pool: 'p2', waitMs: 30_000 })).items).toEqual([]);
});

test('waiting readers are limited per pool, and one that leaves makes room', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const leaving = new AbortController();
  const ask = (pool: string, of = signal) =>
    store.changes.read(pool, { limit: 10, waitMs: 30_000, signal: of });
  const all = Array.from({ length: maxWaitingPerPool }, (_, place) =>
    ask('p1', place === 0 ? leaving.signal : signal),
  );
  await expect.poll(() => ask('p1', AbortSignal.abort())).toEqual({ outcome: 'too-many-waiting' });
  const other = ask('p2');
  const leftAt = performance.now();
  leaving.abort();
  expect(await all[0]).toMatchObject({ items: [] });
  expect(performance.now() - leftAt).toBeLessThan(20_000);
  const again = ask('p1');
  await store.changes.stopWaiting();
  for (const each of [...all, other, again]) expect(await each).toMatchObject({ items: [] });
});

test('one statement serves all waiting readers', async () => {
  const { url } = await openOutbox({ installed: false, webhook: false });
  let statements = 0;
  const database = openDatabase(url, () => {
    statements += 1;
  });
  const watcher = createChangeWatcher(database, () => () => {});
  const position = { transaction: '0', id: '' };
  const waits = Array.from({ length: 12 }, (_, place) =>
    watcher.wait(`p${place}`, position, { ms: 2_500, signal }),
  );
  await Promise.all(waits);
  await watcher.close();
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThan(12);
});

test('a page ends at 4 MiB', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  const text = 'x'.repeat(200 * 1024);
  for (let place = 0; place < 25; place += 1) {
    await store.waivers.create(
      waiver({ id: `w${String(place).padStart(2, '0')}`, answers: { name: 'Ann', text } }),
    );
  }
  await expect.poll(async () => (await read(store)).items.length).toBe(20);
  const first = await read(store);
  const readSecond = () => read(store, first.next);
  await expect.poll(async () => (await readSecond()).items.length).toBe(5);
  expect([...first.items, ...(await readSecond()).items].map(({ id }) => id)).toEqual(
    Array.from({ length: 25 }, (_, place) => `w${String(place).padStart(2, '0')}`),
  );
});

test('after a restore onto another server, readers start over and miss nothing', async () => {
  const key = testKey();
  const { store, url, query } = await openOutbox({ keys: [key], installed: false, webhook: false });
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  const { next } = await read(store);
  await store.close();
  // As it would be: another server's transactions are numbered otherwise.
  await query(`update waiver set changed_in = '999999999999'`);
  await query(`update change_clock set system_identifier = 'another'`);
  const restored = await openStore({ databaseUrl: url, encryptionKeys: [key] });
  onTestFinished(() => restored.close());
  expect((await readAll(restored, 2, next)).map(({ id }) => id)).toEqual(['w1', 'w2']);
  const { next: after } = await read(restored);
  await restored.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect((await readAll(restored, 1, after)).map(({ id }) => id)).toEqual(['w1']);
});

test('a cursor of another list is rejected', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  for (const after of ['x', 'bm8', Buffer.from('["a","not a number","b"]').toString('base64url')]) {
    await expect(read(store, after)).rejects.toThrow(/cursor/);
  }
});
