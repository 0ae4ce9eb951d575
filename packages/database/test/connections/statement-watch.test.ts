import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/connections/connect.ts';
import { createTestDatabase } from '../../src/testing/index.ts';

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
