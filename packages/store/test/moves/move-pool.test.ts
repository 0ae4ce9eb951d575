import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { onSingleConnection } from '../../src/backups/single-connection.ts';
import { pruneBookings } from '../../src/bookings/prune-bookings.ts';
import { recordCellName } from '../../src/cells/cell-name.ts';
import { alignChangeClock, forgetChangeClock } from '../../src/changes/change-clock.ts';
import { encryptedColumns } from '../../src/encryption/encrypted-columns.ts';
import { countKeyUses } from '../../src/encryption/rotate-keys.ts';
import { cancelMove, isPoolMoving, type MovePoolOptions, movePool, openStore } from '../../src/index.ts';
import { appliedMigrations } from '../../src/migrations/run-migrations.ts';
import { whyTooOld } from '../../src/migrations/schema-migration.ts';
import { poolTables } from '../../src/moves/moved-tables.ts';
import { removePool } from '../../src/moves/remove-pool.ts';
import { queryOnce } from '../setup/all-tables.ts';
import { openFullPool } from '../setup/full-pool.ts';
import { openTestStore, testKey } from '../setup/open-test-store.ts';
import { claimAll, deliver, install, loseWorker, waiver } from '../setup/outbox-fixture.ts';

const key = testKey('k1');
const targetKey = testKey('k2');

/** The columns that a move changes on purpose: it encrypts secrets for the other cell, and has hooks registered at its address. */
const changed: Record<string, string[]> = {
  vendor_webhook: ['state', 'due_at', 'request', 'attempts', 'leased_until'],
  booking_changes: ['claimed', 'due_at'],
};
const encrypted = encryptedColumns.map(({ column }) => column);

/** The rows of the pool in every table of which some move, as texts, without what the other database makes anew. */
async function rowsOf(url: string, pool = 'p1'): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, table] of Object.entries(poolTables)) {
    // Hosts count on while the test looks.
    if (typeof table === 'string' || name === 'destination_activity') continue;
    const anew = [...(table.regenerated ?? []), ...(changed[name] ?? []), ...encrypted, 'lane'];
    const rows = await queryOnce(
      url,
      `select (to_jsonb(t) - $1::text[])::text as row from ${name} t where ${table.rows.replaceAll('$pool', `'${pool}'`)} order by 1`,
      [anew],
    );
    found[name] = rows.map(({ row }) => String(row));
  }
  return found;
}

const lanes = (url: string) =>
  queryOnce(
    url,
    `select destination, ordering_key, array_agg(id::text order by sequence) as ids from pending
    where pool = 'p1' group by 1, 2 order by 1, 2`,
  );

async function openBoth() {
  const source = await openFullPool(key);
  const target = await openTestStore({ keys: [targetKey, key] });
  for (const [{ url }, cell] of [
    [source, 'eu1'],
    [target, 'us1'],
  ] as const)
    await onSingleConnection(url, ({ database }) => recordCellName(database, cell));
  return { source, target };
}

const optionsOf = (
  { source, target }: { source: { url: string }; target: { url: string } },
  more: Partial<MovePoolOptions> = {},
): MovePoolOptions => ({
  databaseUrl: source.url,
  targetUrl: target.url,
  encryptionKeys: [key, targetKey],
  pool: 'p1',
  cell: 'us1',
  fromCell: 'eu1',
  settleMs: 0,
  ...more,
});

/** Every row of every table, as text. */
async function dump(url: string): Promise<string[]> {
  const names = await queryOnce(
    url,
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const rows = names.map(({ name }) =>
    queryOnce(url, `select $1 || ': ' || t::text as row from ${name} t`, [name]),
  );
  return (await Promise.all(rows)).flat().map(({ row }) => String(row));
}

test('a pool with something in every table moves as it is, and nothing of it stays', async () => {
  const both = await openBoth();
  const { source, target } = both;
  const before = { rows: await rowsOf(source.url), lanes: await lanes(source.url) };
  const other = await rowsOf(source.url, 'p2');
  expect(Object.entries(before.rows).filter(([, rows]) => rows.length === 0)).toEqual([]);

  const moved = await movePool(optionsOf(both));
  expect(moved.rows).toBeGreaterThan(Object.values(before.rows).flat().length);
  expect(moved).toMatchObject({ alerts: [], credentials: ['Guide'] });
  expect({ rows: await rowsOf(target.url), lanes: await lanes(target.url) }).toEqual(before);

  // The source.
  expect(Object.entries(await rowsOf(source.url)).filter(([, rows]) => rows.length > 0)).toEqual([]);
  expect(await rowsOf(source.url, 'p2')).toEqual(other);
  expect((await dump(source.url)).filter((row) => row.includes('planted'))).toEqual([]);
  expect(await source.store.movedPools.movedTo('p1')).toBe('us1');
  expect(await source.store.pools.get('p1')).toBeUndefined();

  // The target.
  const activity = 'select 1 from destination_activity where delivered = 3 and failed = 4';
  expect([await source.query(activity), await target.query(activity)]).toMatchObject([[], [{}]]);
  const { items } = await target.store.waivers.search('p1', { text: 'planted3first', limit: 10 });
  expect(items.map(({ id }) => id)).toEqual(['w3']);
  expect(await target.store.pools.setup('p1')).toMatchObject({ pool: 'p1' });
  expect(await target.store.accessTokens.verify(source.token)).toMatchObject({ pool: 'p1' });
  expect(await target.query(`select state, due_at <= now() as due, base_urls from vendor_webhook`)).toEqual([
    { state: 'registering', due: true, base_urls: ['https://eu1.example.com'] },
  ]);
  // The hosts of the other cell may have its key alone.
  const keyUses = await onSingleConnection(target.url, ({ database }) => countKeyUses(database));
  expect(keyUses.map(({ keyId }) => keyId)).toEqual(['k2']);
  expect(await target.store.installations.verifyPoolKey('second', source.apiKey)).toMatchObject({
    pool: 'p1',
  });
  expect((await target.store.webhooks.list('p1', { limit: 10 })).items).toHaveLength(2);

  for (const [{ query }, action] of [
    [source, 'pool.move'],
    [target, 'pool.arrive'],
  ] as const) {
    expect(await query('select 1 from pool_move')).toEqual([]);
    expect(await query('select actor, action, pool, target, status from audit_entry')).toEqual([
      { actor: 'command', action, pool: 'p1', target: action === 'pool.move' ? 'us1' : 'eu1', status: 200 },
    ]);
  }
  expect(await movePool(optionsOf(both))).toMatchObject({ rows: 0 });
});

/** The pool as it was, which goes on: nothing of it in the other cell, and no trace of the move. */
async function expectUnmoved(
  { source, target }: Awaited<ReturnType<typeof openBoth>>,
  before: Awaited<ReturnType<typeof rowsOf>>,
): Promise<void> {
  expect(await rowsOf(source.url)).toEqual(before);
  expect(Object.values(await rowsOf(target.url)).flat()).toEqual([]);
  expect([
    await source.query('select 1 from pool_move'),
    await target.query('select 1 from pool_move'),
  ]).toEqual([[], []]);
  expect(await source.store.waivers.update('p1', 'w5', { currentPage: 'again' })).toMatchObject({
    outcome: 'updated',
  });
}

test('a move that is stopped at any step changes nothing, and can be begun again', async () => {
  const both = await openBoth();
  const { source } = both;
  for (const step of ['checking', 'leaving', 'copying', 'comparing'] as const) {
    const before = await rowsOf(source.url);
    const stop = new AbortController();
    const onProgress = (progress: { readonly step: string }) => {
      if (progress.step === step) stop.abort(new Error(`stopped while ${step}`));
    };
    await expect(movePool(optionsOf(both, { onProgress, signal: stop.signal }))).rejects.toThrow(
      `stopped while ${step}`,
    );
    await expectUnmoved(both, before);
  }
  expect(await source.query(`select status from audit_entry order by id`)).toEqual([
    { status: 409 },
    { status: 409 },
    { status: 409 },
  ]);
  expect((await movePool(optionsOf(both))).rows).toBeGreaterThan(0);
});

test('once the pool has arrived, a move that broke off only goes on', async () => {
  const both = await openBoth();
  const { source, target } = both;
  const before = await rowsOf(source.url);
  await source.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger refuse before insert on moved_pool for each row execute function refuse()`);
  await expect(movePool(optionsOf(both))).rejects.toThrow('broken');
  expect(await source.query('select state from pool_move')).toEqual([{ state: 'copying' }]);
  expect(await rowsOf(target.url)).toEqual(before);
  await target.store.waivers.update('p1', 'w5', { currentPage: 'there' });
  await expect(source.store.waivers.update('p1', 'w5', { currentPage: 'here' })).rejects.toThrow(
    'is being moved',
  );

  const cancel = { databaseUrl: source.url, targetUrl: target.url, pool: 'p1' };
  await expect(cancelMove(cancel)).rejects.toThrow('the pool is in the cell "us1" already');
  await expect(cancelMove({ ...cancel, targetUrl: undefined })).rejects.toThrow('set TARGET_DATABASE_URL');
  await expect(movePool(optionsOf(both, { cell: 'ap1' }))).rejects.toThrow('go on with --to us1');
  await source.query('drop trigger refuse on moved_pool');
  expect(await movePool(optionsOf(both))).toMatchObject({ rows: 0 });
  expect(await source.store.movedPools.movedTo('p1')).toBe('us1');
  expect(Object.values(await rowsOf(source.url)).flat()).toEqual([]);
  const [waiver] = await target.query(`select current_page from waiver where id = 'w5'`);
  expect(waiver).toEqual({ current_page: 'there' });

  // And back, past where readers of the feed were.
  const back = { source: target, target: source };
  const [count] = await target.query('select destination, at from destination_activity where delivered = 3');
  await source.query(
    'insert into destination_activity (destination, at, delivered, failed) values ($1, $2, 1, 1)',
    [count?.destination, count?.at],
  );
  await movePool(optionsOf(back, { cell: 'eu1', fromCell: 'us1' }));
  expect(await source.store.movedPools.movedTo('p1')).toBeUndefined();
  expect(await target.store.movedPools.movedTo('p1')).toBe('eu1');
  expect(await source.query(`select current_page from waiver where id = 'w5'`)).toEqual([waiver]);
});

/** Notes how durable each commit of a step of a move is. */
const noteCommits = `
create table noted_commit (durability text);
create function note_commit() returns trigger language plpgsql as $$ begin
  insert into noted_commit values (current_setting('synchronous_commit'));
  return null;
end $$;
create constraint trigger note_commit after insert or update or delete on pool_move deferrable initially deferred
  for each row execute function note_commit()`;

const setDurability = (url: string, durability: string) =>
  queryOnce(
    url,
    `do $$ begin
      execute format('alter database %I set synchronous_commit = %L', current_database(), '${durability}');
    end $$`,
  );

test('a crash forgets no step of a move, however little the databases are set to keep', async () => {
  const both = await openBoth();
  const { source, target } = both;
  for (const { query } of [source, target]) await query(noteCommits);
  const durabilities = async () => [
    await source.query('select distinct durability from noted_commit'),
    await target.query('select distinct durability from noted_commit'),
  ];
  await setDurability(source.url, 'off');
  await setDurability(target.url, 'local');
  await source.query(
    `insert into pool_move (pool, id, state, cell) values ('p1', gen_random_uuid(), 'copying', 'us1')`,
  );
  for (const { query } of [source, target]) await query('truncate noted_commit');
  await cancelMove({ databaseUrl: source.url, targetUrl: target.url, pool: 'p1' });
  expect(await source.query('select durability from noted_commit')).toEqual([{ durability: 'on' }]);
  await movePool(optionsOf(both));
  expect(await durabilities()).toEqual([[{ durability: 'on' }], [{ durability: 'on' }]]);

  // Whoever has standbys confirm more, or says what they confirm, has it so.
  for (const { query } of [source, target]) await query('truncate noted_commit');
  await setDurability(source.url, 'remote_apply');
  await setDurability(target.url, 'remote_write');
  await movePool(optionsOf({ source: target, target: source }, { cell: 'eu1', fromCell: 'us1' }));
  expect(await durabilities()).toEqual([[{ durability: 'remote_apply' }], [{ durability: 'remote_write' }]]);
});

test('a pool that is to go back before its move was finished says which command is to be run first', async () => {
  const both = await openBoth();
  const { source, target } = both;
  // As where the command is killed between its last two commits.
  await source.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger refuse before delete on pool_move for each row execute function refuse()`);
  await expect(movePool(optionsOf(both))).rejects.toThrow('killed');
  await source.query('drop trigger refuse on pool_move');
  expect([
    await source.query('select state from pool_move'),
    await target.query('select state from pool_move'),
  ]).toEqual([[{ state: 'left' }], []]);

  const back = optionsOf({ source: target, target: source }, { cell: 'eu1', fromCell: 'us1' });
  await expect(movePool(back)).rejects.toThrow(
    'the cell "eu1" has not finished its own move of the pool to "us1": run waiver-service pool move p1 --to us1 there',
  );
  expect(await target.store.waivers.update('p1', 'w5', { currentPage: 'again' })).toMatchObject({
    outcome: 'updated',
  });
  expect(await movePool(optionsOf(both))).toMatchObject({ rows: 0 });
  expect((await movePool(back)).rows).toBeGreaterThan(0);
});

test('rows of a pool that has left stay, if the other cell has lost it before they were removed', async () => {
  const both = await openBoth();
  const { source } = both;
  const stop = new AbortController();
  const onProgress = ({ step }: { step: string }) => {
    if (step === 'arrived') stop.abort(new Error('stopped'));
  };
  await expect(movePool(optionsOf(both, { onProgress, signal: stop.signal, settleMs: 1 }))).rejects.toThrow();
  const left = await rowsOf(source.url);

  // As where it was restored from a backup of before.
  const restored = await openTestStore({ keys: [targetKey, key] });
  await onSingleConnection(restored.url, ({ database }) => recordCellName(database, 'us1'));
  await expect(movePool(optionsOf({ source, target: restored }))).rejects.toThrow(
    'the database of the cell "us1" has no pool "p1"',
  );
  expect(await rowsOf(source.url)).toEqual(left);

  await movePool(optionsOf(both));
  expect(Object.values(await rowsOf(source.url)).flat()).toEqual([]);
});

test('removing a pool ten times as large takes ten times the reads, even where a vacuum cannot keep up', async () => {
  const { source } = await openBoth();
  const held = new Client({ connectionString: source.url });
  await held.connect();
  onTestFinished(() => held.end());
  // Until it ends, rows that were deleted stay in tables and indexes.
  await held.query('begin isolation level repeatable read; select 1 from waiver limit 1');
  const readsToRemove = async (pool: string, waivers: number) => {
    await source.store.pools.put({ id: pool, name: pool });
    await source.query(
      `insert into waiver select (jsonb_populate_record(w, jsonb_build_object('pool', $1::text, 'id', $1 || n))).*
        from waiver w, generate_series(1, $2::integer) n where w.pool = 'p1' and w.id = 'w5'`,
      [pool, waivers],
    );
    await source.query('analyze');
    return onSingleConnection(source.url, async ({ client, database }) => {
      const reads = async () => {
        await client.query('select pg_stat_force_next_flush()');
        const { rows } = await client.query<{ reads: number }>(
          `select (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as reads
            from pg_statio_user_tables where relname = 'waiver'`,
        );
        return rows[0]?.reads ?? 0;
      };
      const before = await reads();
      await removePool(database, pool, { onRemoved: () => {} });
      return (await reads()) - before;
    });
  };
  const [small, large] = [await readsToRemove('small', 1_000), await readsToRemove('large', 10_000)];
  expect(large / small).toBeLessThan(12);
});

test('only the database of the cell that is named is used, at first and whenever the command is run again', async () => {
  const both = await openBoth();
  const { source, target } = both;
  const before = await rowsOf(source.url);
  await expect(movePool(optionsOf(both, { cell: 'ap1' }))).rejects.toThrow(
    'TARGET_DATABASE_URL is the database of the cell "us1", not of "ap1"',
  );
  // A move to another cell was killed, perhaps when the pool had arrived there.
  await source.query(
    `insert into pool_move (pool, id, state, cell) values ('p1', gen_random_uuid(), 'copying', 'ap1')`,
  );
  await expect(movePool(optionsOf(both, { cell: 'ap1' }))).rejects.toThrow('not of "ap1"');
  await expect(cancelMove({ databaseUrl: source.url, targetUrl: target.url, pool: 'p1' })).rejects.toThrow(
    'not of "ap1"',
  );
  expect(await source.query('select state from pool_move')).toEqual([{ state: 'copying' }]);
  expect(Object.values(await rowsOf(target.url)).flat()).toEqual([]);
  await source.query('delete from pool_move');

  await target.query('delete from cell_name');
  await expect(movePool(optionsOf(both))).rejects.toThrow('no host with CELL=us1 has been started');
  const other = await openStore({ databaseUrl: target.url, encryptionKeys: [targetKey, key], cell: 'us1' });
  await other.close();
  await expectUnmoved(both, before);
  expect((await movePool(optionsOf(both))).rows).toBeGreaterThan(0);
});

test('a move that another command has ended, because this one lost its lock, does not arrive', async () => {
  const both = await openBoth();
  const { source, target } = both;
  const before = await rowsOf(source.url);
  let ended: Promise<unknown> | undefined;
  const onProgress = ({ step }: { readonly step: string }) => {
    if (step === 'comparing') ended ??= source.query('delete from pool_move');
  };
  await expect(movePool(optionsOf(both, { onProgress }))).rejects.toThrow(
    'another command has ended this move',
  );
  await ended;
  await expectUnmoved(both, before);
  expect(await target.query('select 1 from moved_pool')).toEqual([]);
});

test('what concerns all pools goes on while one of them is away', async () => {
  const { source } = await openBoth();
  const { store, query, url } = source;
  await query(`update booking_alias set prune_at = now()`);
  await query(
    `insert into booking_alias (pool, booking_system, alias, booking_id, prune_at) values ('p2', 'standard', 'a', 'b', now())`,
  );
  const destinations = (await store.destinations.list({ limit: 100 })).items.map(({ id }) => id);
  for (const state of ['leaving', 'copying']) {
    await query('delete from pool_move');
    await query('update booking_system_session set lost_since = now()');
    await query(`update destination set status = 'paused', paused_by = 'failures' where status <> 'closed'`);
    await query(`insert into pool_move (pool, id, state, cell) values ('p1', gen_random_uuid(), $1, 'us1')`, [
      state,
    ]);
    await store.outbox.recordHealth(
      destinations.map((each) => ({ destination: each, succeeded: true, failures: 0, gone: false })),
      { pauseAfterMs: 1, probeIntervalMs: 1 },
    );
    await store.vendorWebhooks.setBaseUrl(`https://${state}.example.com`);
    await store.vendorWebhooks.checkSoon('standard');
    // As a host does when it starts.
    await store.installations.applyManifest({
      bookingSystem: 'standard',
      writeUnit: state === 'leaving' ? 'booking' : 'waiver',
      takesGuestUpdates: true,
      guestId: 'booking-guest-id',
      registersWebhooks: true,
    });
    await store.bookingSystems.put('standard', { settings: { of: state } });
    await query(`update destination set held_until = now() - interval '1 hour'`);
    const items = (await store.destinations.list({ limit: 100 })).items;
    expect(items.filter(({ heldUntil }) => heldUntil !== undefined)).toEqual([]);
    await onSingleConnection(url, async ({ database }) => {
      await pruneBookings(database);
      await forgetChangeClock(database);
      await alignChangeClock(database);
    });
  }
  expect(
    await query(`select distinct pool, status from destination where status <> 'closed' order by 1, 2`),
  ).toEqual([
    { pool: 'p1', status: 'paused' },
    { pool: 'p2', status: 'active' },
  ]);
  const aliases = await query('select distinct pool from booking_alias');
  expect(aliases).toEqual([{ pool: 'p1' }]);
});

test('a move that was killed can be cancelled, and the pool goes on', async () => {
  const both = await openBoth();
  const { source, target } = both;
  const before = await rowsOf(source.url);
  const cancel = { databaseUrl: source.url, targetUrl: target.url, pool: 'p1' };
  await expect(cancelMove(cancel)).rejects.toThrow('the pool "p1" is not being moved');
  for (const state of ['leaving', 'copying']) {
    await source.query(
      `insert into pool_move (pool, id, state, cell) values ('p1', gen_random_uuid(), $1, 'us1')`,
      [state],
    );
    await cancelMove(cancel);
    expect(await source.query('select 1 from pool_move')).toEqual([]);
  }
  await expectUnmoved(both, before);
});

test('a move that is run again and cannot go on keeps no pool frozen that cannot have arrived', async () => {
  const both = await openBoth();
  const { source } = both;
  const before = await rowsOf(source.url);
  const away = optionsOf(both, { targetUrl: 'postgres://nobody@127.0.0.1:1/x' });
  const begin = (state: string) =>
    source.query(
      `insert into pool_move (pool, id, state, cell) values ('p1', gen_random_uuid(), $1, 'us1')`,
      [state],
    );
  await begin('leaving');
  await expect(movePool(away)).rejects.toThrow(/cannot be reached: [^.]*ECONNREFUSED/);
  await expectUnmoved(both, before);
  await begin('copying');
  await expect(movePool(away)).rejects.toThrow('Whether the pool has arrived is not known');
  expect((await movePool(optionsOf(both))).rows).toBeGreaterThan(0);
});

test('where the other database is lost while the pool is copied, it goes on here', async () => {
  const both = await openBoth();
  const before = await rowsOf(both.source.url);
  let lost: Promise<unknown> | undefined;
  const onProgress = ({ step }: { readonly step: string }) => {
    if (step !== 'copying') return;
    lost ??= both.target.query(`select pg_terminate_backend(a.pid) from pg_stat_activity a
      join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' where a.datname = current_database()`);
  };
  await expect(movePool(optionsOf(both, { onProgress }))).rejects.toThrow(
    'connection to the database was lost',
  );
  await lost;
  await expectUnmoved(both, before);
});

test('while a pool leaves, nothing of it is changed or claimed, and other pools go on', async () => {
  const { source } = await openBoth();
  const { store, query, destination } = source;
  const claimed = await claimAll(store);
  await query(
    `insert into pool_move (pool, id, state, cell) values ('p1', gen_random_uuid(), 'leaving', 'us1')`,
  );
  const refused: readonly (() => Promise<unknown>)[] = [
    () => store.waivers.update('p1', 'w5', { currentPage: 'x' }),
    () => store.waivers.create(waiver({ id: 'new' })),
    () => store.waivers.void('p1', 'w5'),
    () => store.pools.put({ id: 'p1', name: 'Other name' }),
    () => store.accessTokens.create('p1'),
    () => install(store, { bookingSystem: 'fourth', accountId: 'a9' }),
    () => store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' }),
    () =>
      store.webhooks.create('p1', {
        url: 'https://x.example',
        auth: { type: 'none' },
        properties: [],
        signing: false,
      }),
    () => store.bookings.requestRefresh('p1', 'standard', ['planted9Booking'], { messageId: 'm9' }),
    () => store.sessions.begin({ destination, version: 3, leaseMs: 1_000 }),
    () => store.deliveries.retry(claimed[0]?.id ?? ''),
    () => store.deliveries.recover({ since: new Date(0), state: 'dead' }),
    // Nothing of it is found yet.
    () => store.deliveries.recover({ since: new Date() }),
    () => store.deliveries.recover({ since: new Date(), pools: ['p1', 'p2'] }),
    () => store.deliveries.recover({ since: new Date(), destination }),
  ];
  for (const [place, change] of refused.entries()) {
    const error = await Promise.resolve()
      .then(change)
      .then(
        () => 'not refused',
        (reason: unknown) => reason,
      );
    expect({ place, isPoolMoving: isPoolMoving(error), error: String(error) }).toMatchObject({
      isPoolMoving: true,
    });
  }
  // Together with those of the pool, in one statement.
  const [mine, others] = await Promise.allSettled([
    store.waivers.update('p1', 'w5', { currentPage: 'x' }),
    store.waivers.update('p2', 'other', { currentPage: 'x' }),
  ]);
  expect([mine.status, others.status]).toEqual(['rejected', 'fulfilled']);
  const ofOthers = await store.deliveries.recover({ since: new Date(0), pools: ['p2'] });
  expect(ofOthers).toMatchObject({ recovered: 0 });
  // Its reads go on, and so does what records the end of what was being sent.
  expect(await store.waivers.get('p1', 'w5')).toMatchObject({ id: 'w5' });
  const [first] = claimed;
  if (first === undefined) throw new Error('nothing was claimed');
  expect([...(await deliver(store, first))]).toEqual([first.id]);
  await loseWorker(store);
  await query('update pending set due_at = now()');
  const again = await claimAll(store);
  expect(again.map(({ pool }) => pool)).toEqual(['p2']);
  // By a host of a former version, which does not know that the pool is leaving.
  await expect(
    query(
      `insert into journal (dispatcher, ids) select gen_random_uuid(), array_agg(id) from pending where pool = 'p1'`,
    ),
  ).rejects.toThrow('is being moved');
});

test('what is being sent is waited for, and migrations wait for the move', async () => {
  const both = await openBoth();
  const { store } = both.source;
  const claimed = await claimAll(store);
  const waited: number[] = [];
  const migrationsAllowed: unknown[] = [];
  async function endSends(): Promise<void> {
    // Longer than everything else takes.
    await delay(500);
    for (const { url } of [both.source, both.target])
      migrationsAllowed.push(
        ...(await queryOnce(url, 'select pg_try_advisory_lock(3853314791062309108) as allowed')),
      );
    await Promise.all(claimed.map((each) => deliver(store, each)));
  }
  await movePool(
    optionsOf(both, {
      onProgress(progress) {
        if (progress.step !== 'sending') return;
        if (waited.push(progress.underWay) === 1) void endSends();
      },
    }),
  );
  expect(migrationsAllowed).toEqual([{ allowed: false }, { allowed: false }]);
  expect(waited[0]).toBe(claimed.filter(({ pool }) => pool === 'p1').length);
  const states = await both.target.query('select 1 from pending where id = any($1::uuid[])', [
    claimed.map(({ id }) => id),
  ]);
  expect(states).toEqual([]);
});

test('an attempt to register webhooks is waited for, and its end recorded', async () => {
  const due = "update vendor_webhook set state = 'registered', due_at = now(), leased_until = '-infinity'";
  const attempts = [
    { state: 'failing', end: { outcome: 'failed', waitMs: 1_000, code: 'internal', message: 'x' } },
    { state: 'registered', end: { outcome: 'registered', waitMs: 1_000 } },
    { state: 'registered', end: undefined },
    { state: undefined, end: { outcome: 'removed' } },
  ] as const;
  const both = await openBoth();
  const { source } = both;
  const { vendorWebhooks } = source.store;
  await vendorWebhooks.setBaseUrl('https://eu1.example.com');
  for (const { state, end } of attempts) {
    await source.query(due);
    const claim = { bookingSystems: ['standard'], limit: 10, leaseMs: 60_000 };
    const [claimed] = await vendorWebhooks.claim(claim);
    if (claimed === undefined) throw new Error('nothing was claimed');
    const ends: Promise<unknown>[] = [];
    const stop = new AbortController();
    const onProgress: MovePoolOptions['onProgress'] = (progress) => {
      if (progress.step === 'sending' && ends.length === 0) {
        expect(progress.underWay).toBe(1);
        ends.push(end === undefined ? vendorWebhooks.release(claimed) : vendorWebhooks.finish(claimed, end));
      }
      if (progress.step === 'comparing') stop.abort(new Error('stopped'));
    };
    await expect(movePool(optionsOf(both, { onProgress, signal: stop.signal }))).rejects.toThrow('stopped');
    await Promise.all(ends);
    expect(ends).toHaveLength(1);
    expect(await source.query('select state, leased_until < now() as free from vendor_webhook')).toEqual(
      state === undefined ? [] : [{ state, free: true }],
    );
  }
});

test('an attempt to register webhooks that ends after the pool was copied changes nothing here', async () => {
  const { source } = await openBoth();
  const { store, query } = source;
  await store.vendorWebhooks.setBaseUrl('https://eu1.example.com');
  const [claimed] = await store.vendorWebhooks.claim({
    bookingSystems: ['standard'],
    limit: 10,
    leaseMs: 60_000,
  });
  if (claimed === undefined) throw new Error('nothing was claimed');
  const before = await query('select * from vendor_webhook');
  await query(
    `insert into pool_move (pool, id, state, cell) values ('p1', gen_random_uuid(), 'copying', 'us1')`,
  );
  await store.vendorWebhooks.finish(claimed, { outcome: 'removed' });
  expect(await query('select * from vendor_webhook')).toEqual(before);
});

test('a pool whose deliveries begin to be sent again while it leaves goes on here', async () => {
  const both = await openBoth();
  const { store, query } = both.source;
  const claimed = await claimAll(store);
  const begin = `insert into recovery (id, delivery_state, since, until, reopened_to)
    values ('r9', 'dead', 'epoch', now(), '00000000-0000-0000-0000-000000000000')`;
  let begun: Promise<unknown> | undefined;
  const onProgress = ({ step }: { readonly step: string }) => {
    if (step !== 'sending') return;
    // By a request that did not know of the move; what is being sent ends after that.
    begun ??= query(begin).then(() => Promise.all(claimed.map((each) => deliver(store, each))));
  };
  await expect(movePool(optionsOf(both, { onProgress }))).rejects.toThrow(
    'deliveries of the pool are being sent again',
  );
  await begun;
  expect([
    await both.source.query('select 1 from pool_move'),
    await both.target.query('select 1 from pool'),
  ]).toEqual([[], []]);
  expect(await store.waivers.update('p1', 'w5', { currentPage: 'again' })).toMatchObject({
    outcome: 'updated',
  });
});

test('what is not right is said before anything is done', async () => {
  const both = await openBoth();
  const { source, target } = both;
  const before = await rowsOf(source.url);
  const refuses = (more: Partial<MovePoolOptions>, sentence: string) =>
    expect(movePool(optionsOf(both, more))).rejects.toThrow(sentence);
  await refuses({ pool: 'nobody' }, 'there is no pool "nobody" in this cell');
  await refuses({ targetUrl: source.url }, 'TARGET_DATABASE_URL is the database of this cell');
  await refuses(
    { targetUrl: 'postgres://nobody@127.0.0.1:1/x' },
    "the other cell's database (TARGET_DATABASE_URL) cannot be reached",
  );
  await refuses(
    { encryptionKeys: [key] },
    "the other cell's database (TARGET_DATABASE_URL): ENCRYPTION_KEYS are not",
  );
  const { url: empty, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  await refuses({ targetUrl: empty }, 'the database has no tables of the waiver service');

  await target.query(`insert into migration (name, timestamp, needs) values ('9999-new', '', '')`);
  await refuses({}, 'was migrated by a newer version of the waiver service (it has 9999-new)');
  await target.query(`delete from migration where name = '9999-new'`);

  await target.store.pools.put({ id: 'p1', name: 'Another' });
  await refuses({}, 'the other cell has a pool "p1" already');
  await target.query(`delete from pool where id = 'p1'`);

  await target.store.pools.put({ id: 'p3', name: 'Another' });
  await target.store.waivers.create(waiver({ id: 'w3', pool: 'p3' }));
  await refuses({}, "1 ids of the pool's waivers are those of other waivers in the other cell, such as w3");
  await target.query(`delete from waiver; delete from waiver_id; delete from pool where id = 'p3'`);

  await source.store.bookingSystems.put('standard', { baseUrl: 'https://vendor.example' });
  await refuses({}, 'the other cell has no settings of standard');
  await source.query('delete from booking_system');

  const secret = await source.query('select auth_encrypted as text from webhook limit 1');
  await source.query(`update webhook set auth_encrypted = 'v1:lost:AAAA' where auth_encrypted = $1`, [
    secret[0]?.text,
  ]);
  await refuses({}, '1 secrets of the pool cannot be read, among them webhook.auth_encrypted');
  await source.query(`update webhook set auth_encrypted = $1 where auth_encrypted = 'v1:lost:AAAA'`, [
    secret[0]?.text,
  ]);
  await expectUnmoved(both, before);
});

test('a connection tells its version, whatever name the address of the database has', async () => {
  const { source } = await openBoth();
  const mark = source.url.includes('?') ? '&' : '?';
  await onSingleConnection(`${source.url}${mark}application_name=mine`, async ({ client }) => {
    const { rows } = await client.query('show application_name');
    expect(rows).toEqual([{ application_name: expect.stringMatching(/^waiver-service \d{4}-/) }]);
  });
});

test('no pool moves beside hosts that know nothing of moves, and none of them comes back afterwards', async () => {
  const both = await openBoth();
  // As the version before calls its connections.
  const older = new Client({ connectionString: both.source.url, application_name: 'waiver-service' });
  await older.connect();
  const appliedHere = () =>
    onSingleConnection(both.source.url, ({ database }) => appliedMigrations(database));
  const known = new Set((await appliedHere()).map(({ name }) => name).filter((name) => name < '0027'));
  await expect(movePool(optionsOf(both))).rejects.toThrow(
    /^hosts of an older version run in this cell \(1 connections\)/,
  );
  expect(whyTooOld(await appliedHere(), known)).toBeUndefined();
  await older.end();
  await expect
    .poll(() => movePool(optionsOf(both)).then(() => 'moved', String), { timeout: 20_000 })
    .toBe('moved');
  expect(whyTooOld(await appliedHere(), known)).toMatch(/needs a version with 0027-pool-moves/);
});
