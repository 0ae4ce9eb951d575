import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type MigrationWait,
  runMigrations,
  type SchemaMigration,
  UnsuitableDatabase,
  whyTooOldServer,
} from '@waiver-service/database';
import { adverseSettings, createTestDatabase, setForDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { schema } from '../../src/database/schema.ts';
import { openStore } from '../../src/index.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { openDatabase, openSession, testKey } from '../setup/open-test-store.ts';

async function connectTo(url: string) {
  const client = await openSession(url);
  return { query: async (text: string) => (await client.query(text)).rows };
}

async function emptyDatabase() {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  return { url: database.url, ...(await connectTo(database.url)) };
}

const newest = Object.keys(migrations).sort().at(-1) ?? '';
const key = testKey();
const open = (url: string) => openStore({ databaseUrl: url, encryptionKeys: [key] });

test('stores in several processes that open an empty database at once migrate it once', async () => {
  const { url, query } = await emptyDatabase();
  const program = fileURLToPath(new URL('open-store.ts', import.meta.url));
  const processes = [1, 2].map(() =>
    spawn(process.execPath, ['--conditions=@waiver-service/source', program, url, key.key.toString('hex')], {
      stdio: 'inherit',
    }),
  );
  const exits = processes.map((child) => once(child, 'exit'));
  const stores = await Promise.all([open(url), open(url)]);
  for (const [code] of await Promise.all(exits)) expect(code).toBe(0);
  for (const store of stores) {
    expect(await store.ready()).toEqual({ isReady: true });
    await store.close();
  }
  expect((await query('select name from migration order by name')).map(({ name }) => name)).toEqual(
    Object.keys(migrations),
  );
});

test('opening a migrated database again changes nothing', async () => {
  const { url } = await emptyDatabase();
  const first = await open(url);
  await first.pools.put({ id: 'p1', name: 'One' });
  await first.close();
  const second = await open(url);
  expect(await second.pools.get('p1')).toMatchObject({ name: 'One' });
  await second.close();
});

/** Records a migration of a newer version, which said what hosts need. */
const recordNewer = (query: (text: string) => Promise<unknown>, needs: string) =>
  query(`insert into migration (name, needs) values ('9999-of-tomorrow', '${needs}')`);

test.each([
  ['expands the schema', ''],
  ['contracts what is older than this version', newest],
])('a version goes on, and starts, on a database that a newer one migrated if that %s', async (_, needs) => {
  const { url, query } = await emptyDatabase();
  const running = await open(url);
  await recordNewer(query, needs);
  expect(await running.ready()).toEqual({ isReady: true });
  const started = await open(url);
  expect(await started.ready()).toEqual({ isReady: true });
  await Promise.all([running.close(), started.close()]);
});

test('a version is not ready, and does not start, on a database whose migration needs a newer version', async () => {
  const { url, query } = await emptyDatabase();
  const running = await open(url);
  await recordNewer(query, '9998-of-today');
  const sentence = /9999-of-tomorrow needs a version with 9998-of-today: start that version/;
  expect(await running.ready()).toEqual({ isReady: false, reason: expect.stringMatching(sentence) });
  await running.close();
  const refusal = open(url);
  await expect(refusal).rejects.toThrow(UnsuitableDatabase);
  await expect(refusal).rejects.toThrow(sentence);
  expect(await query("select 1 from migration where name = '9999-of-tomorrow'")).toHaveLength(1);
});

/** A migration that executes statements. */
const executes = (...statements: string[]): SchemaMigration => ({ statements });

/** A database with a table, and what runs migrations there. */
async function largeTable() {
  const { url, query } = await emptyDatabase();
  await query('create table large (id integer, name text)');
  await query("insert into large values (1, 'a'), (1, 'b')");
  const database = openDatabase(url);
  return {
    url,
    query,
    run: (migrations: Record<string, SchemaMigration>, onWait: (wait: MigrationWait) => void = () => {}) =>
      runMigrations(database, { migrations, onWait }),
    recorded: async () =>
      (await query('select name from migration order by name')).map(({ name }) => String(name)),
  };
}

test('a failed migration leaves nothing of itself, and the next start goes on from there', async () => {
  const { query, run, recorded } = await largeTable();
  const migrations = {
    '0001-notes': executes('create table note (id integer)'),
    '0002-more': executes('create table more (id integer)', 'create table taken (id integer)'),
    '0003-last': executes('alter table more add column name text'),
  };
  await query('create table taken (id integer)');
  await expect(run(migrations)).rejects.toThrow(/"taken" already exists/);
  expect(await query("select to_regclass('more') as made")).toEqual([{ made: null }]);
  expect(await recorded()).toEqual(['0001-notes']);
  await query('drop table taken');
  await run(migrations);
  expect(await recorded()).toEqual(Object.keys(migrations));
});

test('a migration that was merged later than its successor runs, and the others not again', async () => {
  const { run, recorded } = await largeTable();
  const first = { '0001-a': executes('create table a (id integer)') };
  const third = { '0003-c': executes('create table c (id integer)') };
  await run({ ...first, ...third });
  await run({ ...first, '0002-b': executes('create table b (id integer)'), ...third });
  expect(await recorded()).toEqual(['0001-a', '0002-b', '0003-c']);
});

test('a migration that does not get a lock lets others pass meanwhile, and is tried again', async () => {
  const { url, query, run, recorded } = await largeTable();
  const { query: asReader } = await connectTo(url);
  await asReader('begin');
  await asReader('select from large');
  const waits: MigrationWait[] = [];
  const migrating = run(
    { '0001-wider': executes('alter table large add column note text') },
    (wait) => void waits.push(wait),
  );
  await vi.waitFor(() => expect(waits.length).toBeGreaterThan(0), { timeout: 60_000 });
  // Between two attempts, those who queued behind it get in.
  await query('select from large');
  await asReader('commit');
  await migrating;
  expect(waits[0]).toEqual({ migration: '0001-wider', waitsFor: 'lock', attempts: 1 });
  expect(await recorded()).toEqual(['0001-wider']);
});

async function largeIndex() {
  const { run, ...table } = await largeTable();
  const build = () => run({ '0001-large-by-id': { index: { name: 'large_by_id', on: 'large (id)' } } });
  const indexes = () =>
    table.query(
      "select indisvalid as valid, indisunique as former from pg_index where indexrelid = 'large_by_id'::regclass",
    );
  return { ...table, build, indexes };
}

test('an index of a large table is built while others write to it', async () => {
  const { url, query, build, indexes } = await largeIndex();
  const { query: asWriter } = await connectTo(url);
  await asWriter('begin');
  await asWriter("insert into large values (2, 'c')");
  const running = build();
  await vi.waitFor(
    async () => {
      // Other tests build theirs on the same server.
      const [row] = await query(
        'select count(*)::int as building from pg_stat_progress_create_index where datname = current_database()',
      );
      expect(row.building).toBe(1);
    },
    { timeout: 60_000 },
  );
  // It waits for the writer, and blocks no one.
  await query("insert into large values (3, 'd')");
  await asWriter('commit');
  await running;
  expect(await indexes()).toEqual([{ valid: true, former: false }]);
  expect(await query('select name, needs from migration')).toEqual([{ name: '0001-large-by-id', needs: '' }]);
});

test('an index whose build was interrupted is built again', async () => {
  const { query, build, indexes } = await largeIndex();
  // Fails, and leaves an invalid index of its name.
  await expect(query('create unique index concurrently large_by_id on large (id)')).rejects.toThrow(
    /large_by_id/,
  );
  expect(await indexes()).toEqual([{ valid: false, former: true }]);
  await build();
  expect(await indexes()).toEqual([{ valid: true, former: false }]);
});

test('the limits that an operator has set for requests do not end a migration', async () => {
  const { url, query, build, indexes } = await largeIndex();
  for (const limit of ['statement_timeout', 'lock_timeout'])
    await query(
      `do $$ begin execute format('alter database %I set ${limit} = 300', current_database()); end $$`,
    );
  const { query: asWriter } = await connectTo(url);
  await asWriter('begin');
  await asWriter("insert into large values (2, 'c')");
  const running = build();
  await delay(600);
  await asWriter('commit');
  await running;
  expect(await indexes()).toEqual([{ valid: true, former: false }]);
});

test.each(['9.6.24', '13.99 (Debian 13.99-1)', 'unknown'])('PostgreSQL %s is too old', (version) => {
  expect(whyTooOldServer(version)).toContain(`14 or newer is needed, this server is ${version}`);
});

test.each(['14.0', '17.2 (Debian 17.2-1.pgdg12+1)', '18beta1'])('PostgreSQL %s is supported', (version) => {
  expect(whyTooOldServer(version)).toBeUndefined();
});

test('every table has a primary key, by which logical replication finds the rows that change', async () => {
  const { url, query } = await emptyDatabase();
  await (await open(url)).close();
  const without = await query(`
    select relname from pg_class c where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`);
  expect(without).toEqual([]);
});

test('the triggers of waivers work in a session without a search path, as that of a replication', async () => {
  const { url, query } = await emptyDatabase();
  await (await open(url)).close();
  await query("set search_path = ''");
  await query(`
    insert into public.waiver (pool, id, version, activities, last_visit, last_visit_source, answers, content_hash,
      created_at, updated_at)
    values ('p', 'W', 1, '{}', now(), 'created', '{"name":"Ada"}', '', now(), now())`);
  await query(`
    insert into public.waiver_version (pool, waiver_id, version, former_version, at) values ('p', 'W', 1, 0, now())`);
  const keys = async () =>
    (await query('select key from public.waiver_search order by key')).map(({ key }) => key);
  expect(await keys()).toEqual(['ada']);
  await query(`update public.waiver set answers = '{"name":"Zoë"}'`);
  expect(await keys()).toEqual(['zoe']);
  await query('delete from public.waiver');
  expect(await keys()).toEqual([]);
  expect(await query('select from public.waiver_version')).toEqual([]);
});

async function createDatabase(settings: Readonly<Record<string, string>>) {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  if (Object.keys(settings).length > 0) await setForDatabase(url, settings);
  return url;
}

function connect(databaseUrl: string) {
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 20_000,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  return database;
}

const names = Object.keys(adverseSettings);

async function valuesIn(url: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from unnest(${names}::text[]) n (name)`.execute(connect(url));
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

test('connections do not depend on the settings of the database', async () => {
  const usual = await valuesIn(await createDatabase({}));
  expect(await valuesIn(await createDatabase(adverseSettings))).toEqual(usual);
  // Alone, because one may undo another.
  for (const [name, value] of Object.entries(adverseSettings)) {
    const values = await valuesIn(await createDatabase({ [name]: value }));
    expect(values, name).toEqual(usual);
    expect(values[name], name).not.toBe(value);
  }
});

test('where triggers would not run and the role cannot change it, the service says what to reset', async () => {
  const url = await createDatabase({ session_replication_role: 'replica' });
  const role = `waivers_${process.pid}`;
  const asSuperuser = new Client({ connectionString: url });
  await asSuperuser.connect();
  onTestFinished(async () => {
    await asSuperuser.query(`drop owned by ${role}`);
    await asSuperuser.query(`drop role ${role}`);
    await asSuperuser.end();
  });
  await asSuperuser.query(`create role ${role} login; grant all on all tables in schema public to ${role}`);
  const asRole = url.replace(/\/\/[^@/]*@/, `//${role}@`);
  await expect(schema.migrate(asRole)).rejects.toThrow(/session_replication_role is replica.* reset/);
  await schema.migrate(url);
});

test('a search path that misses the service’s tables is named, rather than a second schema created', async () => {
  const url = await createDatabase({});
  await schema.migrate(url);
  const { query } = await connectTo(url);
  await query('create schema other');
  await setForDatabase(url, { search_path: 'other' });
  const refusal = schema.migrate(url);
  await expect(refusal).rejects.toThrow(UnsuitableDatabase);
  await expect(refusal).rejects.toThrow(/are in the schema public, and the search_path \(other\)/);
});
