import { enqueue } from '@waiver-service/outbox';
import { type CreationPlan, draftUpdate, planChange, planCreation } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { bookingIds } from '../../src/database/destination-owners.ts';
import { openStore } from '../../src/index.ts';
import { claimAll, waiver } from '../../src/testing/outbox-fixture.ts';
import { markSigned } from '../../src/waivers/signings.ts';
import { batchesOf, updateWaivers, writeIsolated } from '../../src/waivers/write-waivers.ts';
import {
  openDatabase,
  openOutbox,
  openTransaction,
  openWithPool,
  testKey,
} from '../setup/open-test-store.ts';

const idsOf = (count: number) => Array.from({ length: count }, (_, place) => `w${place}`);

const planOf = (id: string): CreationPlan =>
  planCreation(
    { ...waiver(), id },
    { now: new Date(), recipients: { installations: [], webhooks: [] }, sessions: [] },
  );

test('a body that several webhooks are sent is passed to PostgreSQL once', () => {
  const database = openDatabase('postgres://never-connected');
  const webhooks = [['essay'], ['essay'], ['essay', 'name']].map((properties, place) => ({
    destination: `hook-${place}`,
    permissionVersion: 0,
    properties,
  }));
  const { messages } = planCreation(
    { ...waiver({ answers: { name: 'Ann', essay: 'long text' } }), id: 'w1' },
    { now: new Date(), recipients: { installations: [], webhooks }, sessions: [] },
  );
  expect(messages).toHaveLength(3);
  const { parameters } = enqueue(messages, bookingIds).compile(database);
  expect(parameters.join().match(/long text/g)).toHaveLength(2);
});

test('batches end by their number and by their size, and a large item is a batch by itself', () => {
  const sizes = (items: readonly number[]) => batchesOf(items, (bytes) => bytes).map(({ length }) => length);
  expect(sizes(Array.from({ length: 130 }, () => 100))).toEqual([64, 64, 2]);
  expect(sizes(Array.from({ length: 5 }, () => 512 * 1024))).toEqual([2, 2, 1]);
  expect(sizes([10, 2_000_000, 10, 10])).toEqual([1, 1, 2]);
  expect(sizes([])).toEqual([]);
});

test.each([new RangeError('Invalid string length'), new TypeError('cannot be serialized')])(
  'of waivers whose statement cannot be made (%s), only the one at fault fails',
  async (error) => {
    const stored: string[] = [];
    const results = await writeIsolated(
      ['a', 'b', 'c', 'd', 'e'].map(planOf),
      async (plans) => {
        const ids = plans.map(({ next }) => next.id);
        if (ids.includes('d')) throw error;
        stored.push(...ids);
        return { changed: ids, enqueued: 0 };
      },
      () => {},
    );
    expect(stored).toEqual(['a', 'b', 'c', 'e']);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  },
);

test('waivers that may have been written, as their connection was lost, are not written again', async () => {
  let calls = 0;
  const results = await writeIsolated(
    ['a', 'b'].map(planOf),
    async () => {
      calls += 1;
      throw new Error('Connection terminated unexpectedly');
    },
    () => {},
  );
  expect(calls).toBe(1);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a change that was planned before an erasure was requested is not stored after it', async () => {
  const { store, query, url } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: { name: 'Ann' } }));
  const former = await store.waivers.get('p1', 'w1');
  const drafted = former && draftUpdate(former, { answers: { name: 'X' } });
  if (drafted === undefined || 'refusal' in drafted) throw new Error('nothing is drafted');
  const recipients = { installations: [], webhooks: [] };
  const context = { now: new Date(), recipients, sessions: [], staysInBooking: true };
  const plan = planChange(drafted.draft, context);
  // As the request marks it; the job has not come to it yet.
  await query(`update waiver set erasure = 'e1'`);
  const database = openDatabase(url);
  expect(await updateWaivers(database, [plan])).toEqual({ changed: [], enqueued: 0 });
});

test('a signing reads only the waivers that it marks, even with statistics of an empty table', async () => {
  const { store, query, url } = await openWithPool();
  await query('vacuum analyze waiver');
  await Promise.all(
    idsOf(300).map((id) => store.waivers.create(waiver({ id, bookingSystem: null, bookingId: null }))),
  );
  const read = await openDatabase(url)
    .transaction()
    .execute(async (transaction) => {
      await markSigned(transaction, 'p1', ['w7', 'w8'], 's1');
      const { rows } = await sql<{ read: number }>`
select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'waiver'`.execute(
        transaction,
      );
      return rows;
    });
  expect(read).toEqual([{ read: 2 }]);
  expect(await query('select id from waiver where signing = $1 order by id', ['s1'])).toEqual([
    { id: 'w7' },
    { id: 'w8' },
  ]);
});

const hundredIds = idsOf(100);

async function signedAll(options: Parameters<typeof openOutbox>[0] = { webhook: false }) {
  const opened = await openOutbox(options);
  await Promise.all(
    hundredIds.map((id, place) => opened.store.waivers.create(waiver({ id, bookingId: `b${place % 7}` }))),
  );
  return opened;
}

test.each(['waiver', 'booking'] as const)(
  'concurrent changes of many records are all stored and sent, lanes by %s',
  async (writeUnit) => {
    const { store, query } = await signedAll({ writeUnit });
    const changes = hundredIds.flatMap((id) => [1, 2, 3].map((page) => ({ id, page })));
    const results = await Promise.all(
      changes.map(({ id, page }) => store.waivers.update('p1', id, { currentPage: `${page}` })),
    );
    expect(results.filter(({ outcome }) => outcome !== 'updated')).toEqual([]);
    expect(await query('select count(*)::int as n from waiver where version = 4')).toEqual([{ n: 100 }]);
    // Each caller was answered with its own change, at its own version.
    const versions = results.map((result) => ('record' in result ? result.record.version : 0));
    expect(versions.toSorted()).toEqual(hundredIds.flatMap(() => [2, 3, 4]).toSorted());
    expect(results.map((result) => 'record' in result && result.record.currentPage)).toEqual(
      changes.map(({ page }) => `${page}`),
    );
    expect(await query('select count(*)::int as n from delivery')).toEqual([{ n: 800 }]);
    const waiting = await query(
      `select version, count(*)::int as n from pending join delivery using (id) group by 1`,
    );
    expect(waiting).toEqual([{ version: 4, n: 200 }]);
  },
);

test('concurrent changes each have an outcome, and one that cannot be stored fails without the others', async () => {
  const { store } = await signedAll();
  await store.waivers.void('p1', 'w1');
  const [gone, voided, refused, ...others] = await Promise.allSettled([
    store.waivers.update('p1', 'nobody', { currentPage: 'x' }),
    store.waivers.update('p1', 'w1', { currentPage: 'x' }),
    store.waivers.update('p1', 'w2', { currentPage: 'no\u0000text' }),
    ...hundredIds.slice(3).map((id) => store.waivers.update('p1', id, { currentPage: 'x' })),
  ]);
  expect(gone).toMatchObject({ value: { outcome: 'not-found' } });
  expect(voided).toMatchObject({ value: { outcome: 'voided' } });
  expect(refused?.status).toBe('rejected');
  expect(others.map((other) => other.status === 'fulfilled' && other.value.outcome)).toEqual(
    hundredIds.slice(3).map(() => 'updated'),
  );
  expect(await store.waivers.get('p1', 'w2')).toMatchObject({ version: 1 });
});

test('a record locked by another transaction does not delay the others', async () => {
  const { store, url } = await signedAll();
  const client = await openTransaction(url, `select from waiver where id = 'w1' for update`);
  const held = store.waivers.update('p1', 'w1', { currentPage: 'x' });
  for (const id of hundredIds.slice(2, 20)) {
    expect(await store.waivers.update('p1', id, { currentPage: 'x' })).toMatchObject({ outcome: 'updated' });
  }
  await client.query('commit');
  expect(await held).toMatchObject({ outcome: 'updated' });
  expect((await claimAll(store)).find(({ waiverId }) => waiverId === 'w1')).toMatchObject({ version: 2 });
});

test('waivers created concurrently share a few commits, and each has its own record and messages', async () => {
  const { store, query } = await openOutbox();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const given = hundredIds.map((id, place) =>
    waiver({ id, pool: place % 10 === 9 ? 'p2' : 'p1', bookingId: `b${place % 7}`, answers: { name: id } }),
  );
  const results = await Promise.all(given.map((each) => store.waivers.create(each)));
  expect(results.map((result) => 'record' in result && [result.outcome, result.record.answers])).toEqual(
    hundredIds.map((id) => ['created', { name: id }]),
  );
  const stored = await query('select id, pool, booking_id, answers from waiver');
  expect(new Set(stored.map((row) => JSON.stringify(row)))).toEqual(
    new Set(
      given.map(({ id, pool, bookingId, answers }) =>
        JSON.stringify({ id, pool, booking_id: bookingId, answers: JSON.stringify(answers) }),
      ),
    ),
  );
  // A lone one goes at once, the others together after it.
  const [commits] = await query('select count(distinct xmin::text)::int as n from waiver');
  expect(commits?.n).toBeLessThan(20);
  expect(await query('select kind, count(*)::int as n from delivery group by kind order by kind')).toEqual([
    { kind: 'guest-update', n: 90 },
    { kind: 'guest-webhook', n: 90 },
  ]);
});

test('concurrent creates each have an outcome, and one that cannot be stored fails without the others', async () => {
  const { store } = await signedAll();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await store.waivers.create(waiver({ id: 'theirs', pool: 'p2' }));
  const [same, different, theirs, nowhere, refused, invalid, ...others] = await Promise.allSettled([
    store.waivers.create(waiver({ id: 'w1', bookingId: 'b1' })),
    store.waivers.create(waiver({ id: 'w2', bookingId: 'b1' })),
    store.waivers.create(waiver({ id: 'theirs' })),
    store.waivers.create(waiver({ pool: 'nowhere' })),
    store.waivers.create(waiver({ id: 'refused', currentPage: 'no\u0000text' })),
    store.waivers.create(waiver({ id: 'invalid', lastVisit: new Date(Number.NaN) })),
    ...hundredIds.map((id) => store.waivers.create(waiver({ id: `new-${id}` }))),
  ]);
  expect(same).toMatchObject({ value: { outcome: 'same', record: { id: 'w1', version: 1 } } });
  expect(different).toMatchObject({ value: { outcome: 'exists-differently' } });
  expect(theirs).toMatchObject({ value: { outcome: 'held-by-other-pool' } });
  expect(nowhere).toMatchObject({ value: { outcome: 'unknown-pool' } });
  expect([refused?.status, invalid?.status]).toEqual(['rejected', 'rejected']);
  expect(others.map((other) => other.status === 'fulfilled' && other.value.outcome)).toEqual(
    hundredIds.map(() => 'created'),
  );
  expect(await store.waivers.get('p1', 'refused')).toBeUndefined();
});

test('two hosts that create the same waivers concurrently, in opposite orders, create each once', async () => {
  const key = testKey();
  const { store, url, query } = await openOutbox({ keys: [key] });
  const other = await openStore({ databaseUrl: url, encryptionKeys: [key] });
  onTestFinished(() => other.close());
  const given = hundredIds.map((id) => waiver({ id }));
  const outcomes = await Promise.all([
    ...given.map((each) => store.waivers.create(each)),
    ...given.toReversed().map((each) => other.waivers.create(each)),
  ]);
  const count = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  expect([count('created'), count('same')]).toEqual([100, 100]);
  expect(await query('select count(*)::int as n from delivery')).toEqual([{ n: 200 }]);
});

const thirtyIds = idsOf(30);

test('a lock in one pool does not delay creates and changes in another', async () => {
  const { store, url } = await openOutbox({ webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await Promise.all(
    thirtyIds.flatMap((id) => [
      store.waivers.create(waiver({ id: `one-${id}` })),
      store.waivers.create(waiver({ id: `two-${id}`, pool: 'p2' })),
    ]),
  );
  const client = await openTransaction(url, `select from destination for update`);

  let isReleased = false;
  const change = (pool: string, id: string) => store.waivers.update(pool, id, { currentPage: 'two' });
  // In one turn, so that they would be stored together; many more than there are connections.
  const held = thirtyIds.map((id) => change('p1', `one-${id}`));
  const free = thirtyIds.map((id) => change('p2', `two-${id}`));
  const create = (pool: string, id: string) => store.waivers.create(waiver({ id, pool }));
  const heldNew = thirtyIds.map((id) => create('p1', `new-one-${id}`));
  const freeNew = thirtyIds.map((id) => create('p2', `new-two-${id}`));
  const heldBefore = Promise.race(held).then(() => isReleased);
  for (const outcome of await Promise.all(free)) expect(outcome).toMatchObject({ outcome: 'updated' });
  for (const id of thirtyIds) expect(await change('p2', `two-${id}`)).toMatchObject({ outcome: 'updated' });
  for (const outcome of await Promise.all(freeNew)) expect(outcome).toMatchObject({ outcome: 'created' });

  isReleased = true;
  await client.query('commit');
  expect(await heldBefore).toBe(true);
  for (const outcome of await Promise.all(held)) expect(outcome).toMatchObject({ outcome: 'updated' });
  for (const outcome of await Promise.all(heldNew)) expect(outcome).toMatchObject({ outcome: 'created' });
});

test('records locked by another session do not take connections from another pool', async () => {
  const { store, url } = await openOutbox({ webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await Promise.all(thirtyIds.map((id) => store.waivers.create(waiver({ id: `one-${id}` }))));
  await store.waivers.create(waiver({ id: 'two', pool: 'p2' }));
  const client = await openTransaction(url, `select from waiver where pool = 'p1' for update`);
  const held = thirtyIds.map((id) => store.waivers.update('p1', `one-${id}`, { currentPage: 'two' }));
  for (let page = 0; page < 30; page += 1) {
    expect(await store.waivers.update('p2', 'two', { currentPage: `${page}` })).toMatchObject({
      outcome: 'updated',
    });
  }
  await client.query('commit');
  for (const outcome of await Promise.all(held)) expect(outcome).toMatchObject({ outcome: 'updated' });
});
