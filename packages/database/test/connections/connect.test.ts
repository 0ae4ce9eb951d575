import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/connections/connect.ts';
import { prepared } from '../../src/connections/prepared-statements.ts';
import { plannerSwitches } from '../../src/connections/session-settings.ts';
import { createTestDatabase } from '../../src/testing/test-database.ts';

async function openDatabase() {
  const { url, drop } = await createTestDatabase({ empty: true });
  const database = connect({
    newestMigration: '',
    databaseUrl: url,
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    onConnectionError: () => {},
  });
  onTestFinished(async () => {
    await database.destroy();
    await drop();
  });
  return database;
}

// The embedded PostgreSQL cannot compile statements; those of most distributions can, and do by default.
test('no statement is compiled before it runs, which takes a hundred times as long as running it', async () => {
  const database = await openDatabase();

  const { rows } = await sql`show jit`.execute(database);

  expect(rows).toEqual([{ jit: 'off' }]);
});

test('a prepared statement is planned once, however short its arrays', async () => {
  const database = await openDatabase();

  const arrays = Array.from({ length: 10 }, (_, index) => [index]);
  for (const numbers of arrays) {
    await sql`${prepared} select n from unnest(${numbers}::integer[]) n`.execute(database);
  }

  const { rows } = await sql`
select generic_plans, custom_plans from pg_prepared_statements where statement like '%unnest%'`.execute(
    database,
  );
  expect(rows).toEqual([{ genericPlans: arrays.length, customPlans: 0 }]);
});

test('a connection that the server is ending is not used again', async () => {
  const database = await openDatabase();

  // The server says so first, and closes the connection a moment later.
  for (let time = 1; time <= 20; time += 1) {
    const ending = sql`select pg_terminate_backend(pg_backend_pid())`.execute(database);
    await expect(ending).rejects.toMatchObject({ code: '57P01' });
    expect((await sql`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
  }
});

test('every planner switch of the server is known', async () => {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings where starts_with(name, 'enable_')`,
  );
  await client.end();
  expect(rows.length).toBeGreaterThan(0);
  expect(Object.keys(plannerSwitches)).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
});

const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

async function openDatabaseWith(...settings: readonly string[]) {
  const database = await createTestDatabase({ empty: true });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  const set = async (setting: string) => {
    await client.query(
      `do $$ begin execute format($s$alter database %I set ${setting}$s$, current_database()); end $$`,
    );
  };
  for (const setting of settings) await set(setting);
  return { url: database.url, set, query: (text: string) => client.query(text) };
}

function connectTo(databaseUrl: string) {
  const database = connect({
    newestMigration: '',
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  return database;
}

// Who answers is asked after three to four seconds, and has two more to answer.
const slow = sql<{ answer: number }>`select 1 as answer from pg_sleep(7)`;

/** A database each of whose connections takes another time for the one at which the server started. */
async function openServers() {
  const { url, query } = await openDatabaseWith('search_path = public, pg_catalog');
  await query(`create function public.pg_postmaster_start_time() returns timestamptz language sql
    as 'select backend_start from pg_stat_get_activity(pg_backend_pid())'`);
  return url;
}

test('a slow statement fails if another server answers by then', async () => {
  const url = await openServers();
  await expect(slow.execute(connectTo(url))).rejects.toThrow();
});

longTest('the same server is known as such in another time zone', async () => {
  const { url, set } = await openDatabaseWith("timezone = 'UTC'");
  const database = connectTo(url);
  await sql`select 1`.execute(database);
  await set("timezone = 'Asia/Tokyo'");
  expect((await slow.execute(database)).rows).toEqual([{ answer: 1 }]);
});
