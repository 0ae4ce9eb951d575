import { createTestDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDeliveries } from '../../src/deliveries/deliveries.ts';
import { beginRecovery, createRecoveryJob, reopenBatch } from '../../src/deliveries/recoveries.ts';
import { maxRunningRecoveries, maxRunningRecoveriesPerPool, openStore, type Store } from '../../src/index.ts';
import { openDatabase as openContext } from '../../src/store.ts';
import {
  claimAll,
  claimOne,
  deliver,
  finish,
  storedDeliveries,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { openDatabase, openOutbox, testKey } from '../setup/open-test-store.ts';

type Query = Awaited<ReturnType<typeof openOutbox>>['query'];

const since = new Date(Date.now() - 3_600_000);

/** Makes dead letters of as many waivers, in a pool `p1` with one destination. */
async function seedDead(query: Query, waivers: number): Promise<void> {
  // As ids of version 7 would be: they begin with the time.
  await query(
    `with seeded as (
      insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body,
        created_at)
      select 'p1', (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0')
          || substr(replace(gen_random_uuid()::text, '-', ''), 13))::uuid,
        d.id, 'guest-update', 'w' || n, 'w' || n, 1, 'b1', false, '{}', now()
      from destination d, generate_series(1, $1::integer) n
      returning id, pool)
    insert into ended (id, pool, state, attempts) select id, pool, 'dead', 10 from seeded`,
    [waivers],
  );
}

const untilDone = async (store: Store, id: string) => {
  await expect.poll(() => store.deliveries.recovery(id)).toMatchObject({ state: 'done' });
  return store.deliveries.recovery(id);
};

async function begin(store: Store, request: Parameters<Store['deliveries']['recover']>[0]) {
  const begun = await store.deliveries.recover(request);
  if ('outcome' in begun) throw new Error(begun.outcome);
  return begun;
}

test('a few are opened again at once, and the recovery is done', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await seedDead(query, 3);
  const { recoveryId, recovered } = await begin(store, { since, pools: ['p1'] });
  expect(recovered).toBe(3);
  expect(await store.deliveries.recovery(recoveryId)).toEqual({
    id: recoveryId,
    pools: ['p1'],
    state: 'done',
    recovered: 3,
    total: 3,
    createdAt: expect.any(Date),
  });
  expect(await store.deliveries.recovery('no-id')).toBeUndefined();
});

test('many are opened in batches, each once, also when the host that began is gone', async () => {
  const key = testKey();
  const { store, url, query } = await openOutbox({ webhook: false, keys: [key] });
  await seedDead(query, 6_000);
  const { recoveryId, recovered } = await begin(store, { since });
  expect(recovered).toBe(200);
  await store.close();
  const [left] = await query('select state, recovered from recovery');
  expect(left).toMatchObject({ state: 'running' });
  const second = await openStore({ databaseUrl: url, encryptionKeys: [key] });
  onTestFinished(() => second.close());
  expect(await untilDone(second, recoveryId)).toMatchObject({ recovered: 6_000, total: 6_000 });
  expect(await query(`select state, count(*)::int as n from ${storedDeliveries} group by 1`)).toEqual([
    { state: 'waiting', n: 6_000 },
  ]);
  // Each took one place.
  expect(await query(`select last_value::int as n from outbox_sequence`)).toEqual([{ n: 6_000 }]);
});

test('two hosts that go on with one recovery open none twice', async () => {
  const key = testKey();
  const { store, url, query } = await openOutbox({ webhook: false, keys: [key] });
  const second = await openStore({ databaseUrl: url, encryptionKeys: [key] });
  onTestFinished(() => second.close());
  await seedDead(query, 1_500);
  const { recoveryId } = await begin(store, { since });
  expect(await untilDone(second, recoveryId)).toMatchObject({ recovered: 1_500, total: 1_500 });
  expect(await query(`select last_value::int as n from outbox_sequence`)).toEqual([{ n: 1_500 }]);
});

test('only the newest version of a waiver is sent again, once, also of delivered ones', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  for (const page of ['two', 'three']) {
    for (const claimed of await claimAll(store)) await deliver(store, claimed);
    await store.waivers.update('p1', 'w1', { currentPage: page });
  }
  for (const claimed of await claimAll(store)) await deliver(store, claimed);
  await store.waivers.create(waiver({ id: 'w2' }));
  await finish(store, await claimOne(store), { kind: 'dead' });
  const { recoveryId, recovered } = await begin(store, { since, state: 'delivered' });
  expect(recovered).toBe(1);
  expect(await store.deliveries.recovery(recoveryId)).toMatchObject({
    recovered: 1,
    total: 1,
    state: 'done',
  });
  expect((await claimAll(store)).map(({ version }) => version)).toEqual([3]);
});

test('dead letters from after the start of a recovery are not part of it', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await seedDead(query, 450);
  const { recoveryId } = await begin(store, { since });
  await store.waivers.create(waiver({ id: 'later' }));
  await query(`with gone as (delete from pending where waiver_id = 'later' returning id, pool)
    insert into ended (id, pool, state) select id, pool, 'dead' from gone`);
  expect(await untilDone(store, recoveryId)).toMatchObject({ recovered: 450, total: 450 });
});

test('only so many recoveries run at once, and only so many are kept', async () => {
  // Without a store: no host continues the running ones.
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase(url);
  const insert = (count: number, state: string) =>
    sql`insert into recovery (id, delivery_state, since, until, state, reopened_to)
      select ${state}::text || lpad(n::text, 6, '0') || gen_random_uuid(), 'dead', now(), now(), ${state}::text, gen_random_uuid()
      from generate_series(1, ${count}::integer) n`.execute(database);
  await insert(1_200, 'done');
  await insert(maxRunningRecoveries - 1, 'running');
  expect(await beginRecovery(database, { since })).toMatchObject({ recovered: 0 });
  const { rows } = await sql`select count(*) as n from recovery where state = 'done'`.execute(database);
  expect(rows).toEqual([{ n: 1_001 }]);
  await insert(1, 'running');
  expect(await beginRecovery(database, { since })).toEqual({ outcome: 'too-many' });
});

test('recoveries of one pool keep no other pool from its own', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase(url);
  const beginIn = (...pools: string[]) => beginRecovery(database, { since, pools });
  await sql`insert into recovery (id, pools, delivery_state, since, until, reopened_to)
    select gen_random_uuid(), array['loud'], 'dead', now(), now(), gen_random_uuid()
    from generate_series(1, ${maxRunningRecoveriesPerPool}::integer)`.execute(database);
  expect(await beginIn('loud')).toEqual({ outcome: 'too-many' });
  expect(await beginIn('quiet', 'loud')).toEqual({ outcome: 'too-many' });
  expect(await beginIn('quiet')).toMatchObject({ recovered: 0 });
  expect(await beginRecovery(database, { since })).toMatchObject({ recovered: 0 });
});

test('a refused recovery starts nothing, and is no change of its pools', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase();
  onTestFinished(drop);
  // A context without a store, so that no job ends the running recoveries.
  const { context, close } = await openContext({
    databaseUrl,
    encryptionKeys: [testKey()],
    maxConnections: 2,
    soleHost: false,
    features: [],
    onNotice: () => {},
  });
  onTestFinished(close);
  let started = 0;
  const deliveries = createDeliveries(context, () => {
    started += 1;
  });
  const changed: unknown[] = [];
  const { notifications } = context;
  onTestFinished(notifications.listen('outbox', () => changed.push('outbox')));
  const request = { since, pools: ['loud'] };
  await deliveries.recover(request);
  await expect.poll(() => changed).toContain('outbox');
  expect(started).toBe(1);
  await sql`update recovery set state = 'running'`.execute(context.database);
  await sql`insert into recovery (id, pools, delivery_state, since, until, reopened_to)
    select gen_random_uuid(), array['loud'], 'dead', now(), now(), gen_random_uuid()
    from generate_series(1, ${maxRunningRecoveriesPerPool}::integer)`.execute(context.database);
  changed.length = 0;
  expect(await deliveries.recover(request)).toEqual({ outcome: 'too-many' });
  expect(changed).toEqual([]);
  expect(started).toBe(1);
});

test('messages reopened in one lane are sent in the order of their creation', async () => {
  const { store } = await openOutbox({ webhook: false, writeUnit: 'booking' });
  for (const id of ['w1', 'w2', 'w3']) await store.waivers.create(waiver({ id }));
  for (let i = 0; i < 3; i += 1) await finish(store, await claimOne(store), { kind: 'dead' });
  await begin(store, { since });
  const sent: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const next = await claimOne(store);
    sent.push(next.waiverId);
    await deliver(store, next);
  }
  expect(sent).toEqual(['w1', 'w2', 'w3']);
});

/** A database without a store, where no host continues recoveries, and two that are still to count and to do. */
async function openWithTwoRecoveries() {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase(url);
  await sql`insert into recovery (id, delivery_state, since, until, reopened_to, counted_to)
    select n::text, 'dead', now(), now(), gen_random_uuid(), gen_random_uuid()
    from generate_series(1, 2) n`.execute(database);
  const progress = async () =>
    (
      await sql<{
        id: string;
        counted: boolean;
        state: string;
      }>`select id, counted_to is null as counted, state from recovery order by id`.execute(database)
    ).rows;
  return { database, url, progress };
}

test('recoveries go on in turn: none waits for the end of another one', async () => {
  const { database, progress } = await openWithTwoRecoveries();
  const job = createRecoveryJob(database, () => {});
  await job.runBatch();
  await job.runBatch();
  expect(await progress()).toEqual([
    { id: '1', counted: true, state: 'running' },
    { id: '2', counted: true, state: 'running' },
  ]);
  await job.runBatch();
  await job.runBatch();
  expect((await progress()).map(({ state }) => state)).toEqual(['done', 'done']);
});

test('a batch that another host is at is left to it', async () => {
  const { database, url } = await openWithTwoRecoveries();
  const other = openDatabase(url);
  await other.transaction().execute(async (transaction) => {
    await sql`select from recovery where id = '1' for update`.execute(transaction);
    expect(await reopenBatch(database, '1')).toBeUndefined();
    expect(await reopenBatch(database, '2')).toBe(0);
  });
});
