import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { createEncryption } from '../../src/encryption/encryption.ts';
import { openStore, UnsuitableDatabase } from '../../src/index.ts';
import { migrate } from '../../src/migrations/migrate.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { type MigrationWait, runMigrations } from '../../src/migrations/run-migrations.ts';
import { migrateBefore } from '../setup/open-before.ts';
import { testKey } from '../setup/open-test-store.ts';

async function connectTo(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
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
const recordNewer = (query: (text: string) => Promise<unknown>, needs: string | null) =>
  query(`insert into migration (name, timestamp, needs)
    values ('9999-of-tomorrow', now()::text, ${needs === null ? 'null' : `'${needs}'`})`);

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

test.each([
  [
    'needs a newer version',
    '9998-of-today',
    /9999-of-tomorrow needs a version with 9998-of-today: start that version/,
  ],
  ['does not say what it needs', null, /9999-of-tomorrow does not say that older versions can go on/],
])(
  'a version is not ready, and does not start, on a database whose migration %s',
  async (_, needs, sentence) => {
    const { url, query } = await emptyDatabase();
    const running = await open(url);
    await recordNewer(query, needs);
    expect(await running.ready()).toEqual({ isReady: false, reason: expect.stringMatching(sentence) });
    await running.close();
    const refusal = open(url);
    await expect(refusal).rejects.toThrow(UnsuitableDatabase);
    await expect(refusal).rejects.toThrow(sentence);
    expect(await query("select 1 from migration where name = '9999-of-tomorrow'")).toHaveLength(1);
  },
);

test('a database that the former migrator made has the column added, and none of its migrations run again', async () => {
  const { url, query } = await emptyDatabase();
  await (await open(url)).close();
  await query('alter table migration drop column needs');
  const store = await open(url);
  expect(await store.ready()).toEqual({ isReady: true });
  await store.close();
});

test('a failed migration leaves nothing of itself, and the next start goes on from there', async () => {
  const { url, query } = await emptyDatabase();
  // Conflicts with a table that a later migration creates.
  await query('create table credential (id int)');
  await expect(open(url)).rejects.toThrow(/credential/);
  expect(await query("select to_regclass('audit_entry') as made")).toEqual([{ made: null }]);
  expect(await query("select 1 from migration where name = '0013-people'")).toEqual([]);
  await query('drop table credential');
  await (await open(url)).close();
});

test('a migration that does not get a lock lets others pass meanwhile, and is tried again', async () => {
  const { url, query } = await emptyDatabase();
  await migrateBefore(url, '0013');
  const { query: asReader } = await connectTo(url);
  await asReader('begin');
  await asReader('select from access_token');
  const waits: MigrationWait[] = [];
  const migrating = migrate(url, (wait) => void waits.push(wait));
  await vi.waitFor(() => expect(waits.length).toBeGreaterThan(0), { timeout: 10_000 });
  // Between two attempts, whoever came behind it gets in.
  await query('select from access_token');
  await asReader('commit');
  await migrating;
  expect(waits[0]).toEqual({ migration: '0013-people', waitsFor: 'lock', attempts: 1 });
  expect(await query("select 1 from migration where name = '0013-people'")).toHaveLength(1);
});

async function largeTable() {
  const { url, query } = await emptyDatabase();
  await query('create table large (id integer, name text)');
  await query("insert into large values (1, 'a'), (1, 'b')");
  const database = connect({
    databaseUrl: url,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  const build = () =>
    runMigrations(database, {
      migrations: { '0001-large-by-id': { index: { name: 'large_by_id', on: 'large (id)' } } },
      onWait: () => {},
    });
  const indexes = () =>
    query(
      "select indisvalid as valid, indisunique as former from pg_index where indexrelid = 'large_by_id'::regclass",
    );
  return { url, query, build, indexes };
}

test('an index of a large table is built while others write to it', async () => {
  const { url, query, build, indexes } = await largeTable();
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
    { timeout: 30_000 },
  );
  // It waits for the writer, and nobody waits for it.
  await query("insert into large values (3, 'd')");
  await asWriter('commit');
  await running;
  expect(await indexes()).toEqual([{ valid: true, former: false }]);
  expect(await query('select name, needs from migration')).toEqual([{ name: '0001-large-by-id', needs: '' }]);
});

test('an index whose build was interrupted is built anew', async () => {
  const { query, build, indexes } = await largeTable();
  // Fails, and leaves an invalid index of its name.
  await expect(query('create unique index concurrently large_by_id on large (id)')).rejects.toThrow(
    /large_by_id/,
  );
  expect(await indexes()).toEqual([{ valid: false, former: true }]);
  await build();
  expect(await indexes()).toEqual([{ valid: true, former: false }]);
});

test('the limits that an operator has set for requests do not end a migration', async () => {
  const { url, query, build, indexes } = await largeTable();
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

test('what was installed before installs had to be approved stays active; the earliest is the default', async () => {
  const { url, query } = await emptyDatabase();
  await migrateBefore(url, '0003');
  await query("insert into pool (id, name) values ('p1', 'One'), ('p2', 'Two')");
  const encrypted = (name: string) =>
    createEncryption([key]).encrypt(
      { table: 'installation', column: 'account_encrypted', row: ['p1', name] },
      JSON.stringify({ apiKey: 'k', information: {} }),
    );
  const installed = (name: string, at: string) =>
    query(`insert into installation (pool, booking_system, status, account_id, account_encrypted, write_unit,
      takes_guest_updates, made_by, destination_id, installed_at)
      values ('p1', '${name}', 'installed', '1', '${encrypted(name)}', 'waiver', true, 'operator', '${name}', '${at}')`);
  await installed('a', '2026-02-01');
  await installed('b', '2026-01-01');
  const others = openStore({ databaseUrl: url, encryptionKeys: [testKey()] });
  await expect(others).rejects.toThrow(/ENCRYPTION_KEYS are not those of this database/);
  const store = await open(url);
  expect(await store.pools.get('p1')).toMatchObject({ installs: 'first', defaultBookingSystem: 'b' });
  expect(await store.pools.get('p2')).toMatchObject({ installs: 'first', defaultBookingSystem: null });
  expect(await store.pools.setup('p1')).toMatchObject({ bookingSystems: ['a', 'b'] });
  await store.close();
});
