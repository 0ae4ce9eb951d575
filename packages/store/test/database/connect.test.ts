import { createTestDatabase } from '@waiver-service/store/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';

async function openDatabase() {
  const { url, drop } = await createTestDatabase({ empty: true });
  const database = connect({
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

test('a connection that the server is ending is not used again', async () => {
  const database = await openDatabase();

  // The server says so first, and closes the connection a moment later.
  for (let time = 1; time <= 20; time += 1) {
    const ending = sql`select pg_terminate_backend(pg_backend_pid())`.execute(database);
    await expect(ending).rejects.toMatchObject({ code: '57P01' });
    expect((await sql`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
  }
});
