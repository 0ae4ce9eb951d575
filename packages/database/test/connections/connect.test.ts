import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/connections/connect.ts';
import { prepared } from '../../src/connections/prepared-statements.ts';
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
