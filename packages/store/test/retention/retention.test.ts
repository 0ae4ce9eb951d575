import { createTestDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/tables.ts';
import {
  createPruneDeliveriesJob,
  createPruneRowsJob,
  oldestKept,
  retentionRules,
} from '../../src/retention.ts';
import { growDatabase } from '../../src/testing/index.ts';
import { claimAll, claimOne, deliver, finish, refuse, waiver } from '../../src/testing/outbox-fixture.ts';
import { pruneRows } from '../../src/testing/pruning.ts';
import { openDatabase, openOutbox } from '../setup/open-test-store.ts';

test('a rule that fails stops no other, and is named', async () => {
  const { query, url } = await openOutbox({ webhook: false });
  await query(
    "insert into upcoming_booking values ('p1', 'standard', 'past', now() - interval '3 days', now() - interval '3 days')",
  );
  await query('alter table inbound_message rename to elsewhere');
  await expect(pruneRows(url)).rejects.toThrow(/^inbound_message: /);
  expect(await query('select from upcoming_booking')).toEqual([]);
});

test('a round that has deleted everything is followed by the next one after the interval', async () => {
  const { query, url } = await openOutbox({ webhook: false });
  await untilPruned(query);
  const insert = () =>
    query(
      "insert into upcoming_booking values ('p1', 'standard', 'past', now() - interval '3 days', now() - interval '3 days')",
    );
  const rules = retentionRules({ auditRetentionMs: 0, deliveryRetentionMs: 0 }, []);
  const job = createPruneRowsJob(openDatabase(url), rules, 3_600_000);
  await insert();
  expect(await job.runBatch()).toBe(false);
  expect(await query('select from upcoming_booking')).toEqual([]);
  await insert();
  expect(await job.runBatch()).toBe(false);
  expect(await query('select from upcoming_booking')).toHaveLength(1);
});

/**
 * Resolves when the store that was just opened has pruned once, and will not for an hour. On a busy machine it would
 * otherwise prune what the test stores.
 */
async function untilPruned(query: (text: string) => Promise<readonly unknown[]>): Promise<void> {
  // A store's jobs take turns, and the round over the bookings comes after those that prune deliveries, waivers and
  // audit entries.
  await expect
    .poll(() => query("select from reconciliation where round_started_at > '-infinity'"))
    .toHaveLength(1);
}

const dayMs = 86_400_000;

function pruneJob(url: string, deliveryDays = 90, deadDays = 365) {
  let pruned = 0;
  const retention = {
    deliveryRetentionMs: deliveryDays * dayMs,
    deadRetentionMs: deadDays * dayMs,
    intervalMs: 3_600_000,
  };
  const job = createPruneDeliveriesJob({ database: openDatabase(url), features: [] }, retention, (count) => {
    pruned += count;
  });
  return { runBatch: () => job.runBatch(), pruned: () => pruned };
}

async function prune(url: string): Promise<number> {
  const job = pruneJob(url);
  while (await job.runBatch());
  return job.pruned();
}

async function open() {
  const opened = await openOutbox({ installed: false });
  await untilPruned(opened.query);
  return opened;
}

/** An id of so many days before: it begins with the time in milliseconds. */
const earlier = (id: string, days: number) => {
  const digits = `replace(${id}::text, '-', '')`;
  const time = `('x' || lpad(left(${digits}, 12), 16, '0'))::bit(64)::bigint`;
  return `(lpad(to_hex(${time} - ${days * dayMs}), 12, '0') || substr(${digits}, 13))::uuid`;
};

/** Makes everything older, as if it had been stored and attempted so many days before. */
const age = (query: Awaited<ReturnType<typeof open>>['query'], days: number) =>
  query(`with
    a as (update attempt set at = at - interval '${days} days', delivery = ${earlier('delivery', days)}),
    e as (update ended set id = ${earlier('id', days)}),
    p as (update pending set id = ${earlier('id', days)})
    update delivery set created_at = created_at - interval '${days} days', id = ${earlier('id', days)}`);

test('ended deliveries go after their time, with their attempts; waiting ones stay', async () => {
  const { store, query, url } = await open();
  await store.waivers.create(waiver({ id: 'delivered' }));
  await deliver(store, await claimOne(store));
  await store.waivers.create(waiver({ id: 'waits' }));
  await refuse(store, await claimOne(store), dayMs);
  await age(query, 89);
  expect(await prune(url)).toBe(0);
  await age(query, 2);
  expect(await prune(url)).toBe(1);
  expect(await query('select waiver_id from delivery')).toEqual([{ waiver_id: 'waits' }]);
  expect(await query('select from attempt')).toHaveLength(1);
  await age(query, 1_000);
  expect(await prune(url)).toBe(0);
});

test('one that was attempted since stays as long as that attempt', async () => {
  const { store, query, url } = await open();
  await store.waivers.create(waiver({ id: 'w1' }));
  await deliver(store, await claimOne(store));
  await age(query, 100);
  await query('update attempt set at = now()');
  expect(await prune(url)).toBe(0);
  await age(query, 91);
  expect(await prune(url)).toBe(1);
});

test('a dead letter stays longer, and a newer version with it, so that no older state is sent again', async () => {
  const { store, query, url } = await open();
  await store.waivers.create(waiver({ id: 'w1' }));
  await finish(store, await claimOne(store), { kind: 'dead' });
  await store.waivers.update('p1', 'w1', { answers: { name: 'Bea' } });
  await deliver(store, await claimOne(store));
  await age(query, 364);
  expect(await prune(url)).toBe(0);
  await age(query, 2);
  expect(await prune(url)).toBeGreaterThan(0);
  await prune(url);
  expect(await query('select id from delivery union all select id from ended')).toEqual([]);
});

test('deliveries of a record with a hold stay', async () => {
  const { store, query, url } = await open();
  await store.waivers.create(waiver({ id: 'w1' }));
  await deliver(store, await claimOne(store));
  await store.holds.place('p1', 'w1', { reason: 'a claim', by: 'x' });
  await age(query, 1_000);
  expect(await prune(url)).toBe(0);
  await store.holds.release('p1', 'w1');
  expect(await prune(url)).toBe(1);
});

test('hosts that prune at once, and people who retry meanwhile, leave no message without its body', async () => {
  const { store, query, url } = await open();
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => store.waivers.create(waiver({ id: `w${index}` }))),
  );
  for (let claimed = await claimAll(store); claimed.length > 0; claimed = await claimAll(store))
    for (const each of claimed) await deliver(store, each);
  await age(query, 91);
  const ids = (await query('select id from delivery')).map(({ id }) => String(id));
  await Promise.all([prune(url), prune(url), ...ids.slice(0, 60).map((id) => store.deliveries.retry(id))]);
  expect(await query('select from pending where id not in (select id from delivery)')).toEqual([]);
  await prune(url);
  const left = await query('select id from delivery order by id');
  expect(left).toEqual(await query('select id from pending order by id'));
});

test('where dead letters are kept for less than others, only they are looked at', async () => {
  const { query, url } = await open();
  await query(`insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, takeback, body, created_at)
    select 'p1', ${earlier("(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || left(md5(n::text), 20))::uuid", 100)},
      'd', 'guest-webhook', 'w', 'w' || n, 1, false, '{}', now() - interval '100 days' from generate_series(1, 450) n`);
  await query(
    `insert into ended (id, pool, state) select id, pool, 'dead' from delivery where waiver_id = 'w300'`,
  );
  const job = pruneJob(url, 365, 30);
  expect(await job.runBatch()).toBe(false);
  expect(job.pruned()).toBe(1);
  expect(await query(`select from delivery where waiver_id = 'w300'`)).toEqual([]);
});

const size = { pools: 40, waiversPerPool: 20 };

async function openGrown() {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  await growDatabase(url, size);
  return openDatabase(url);
}

/** How many rows of a table a read fetches by its indexes. */
async function fetchedBy(database: Database, table: string, read: (database: Database) => Promise<unknown>) {
  return database.transaction().execute(async (transaction) => {
    await read(transaction);
    const { rows } = await sql<{ fetched: number }>`
select idx_tup_fetch::integer as fetched from pg_stat_xact_user_tables where relname = ${table}`.execute(
      transaction,
    );
    return rows[0]?.fetched;
  });
}

test('the age of the oldest waiver is found by one row of each pool, in a database as years leave it', async () => {
  const database = await openGrown();
  const all = await sql`
select count(*)::integer as deliveries, count(*) filter (where d.is_next)::integer as "inOrder" from (
  select created_at >= coalesce(lag(created_at) over (order by id), created_at) as is_next from delivery) d`.execute(
    database,
  );
  const deliveries = size.pools * size.waiversPerPool * 7;
  expect(all.rows).toEqual([{ deliveries, inOrder: deliveries }]);

  await sql`update pool set retention_waivers_days = 30`.execute(database);
  expect(await fetchedBy(database, 'waiver', oldestKept)).toBe(size.pools);
});
