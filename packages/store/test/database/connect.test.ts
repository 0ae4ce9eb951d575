import { createTestDatabase } from '@waiver-service/store/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';

// The embedded PostgreSQL cannot compile statements; those of most distributions can, and do by default.
test('no statement is compiled before it runs, which takes a hundred times as long as running it', async () => {
  const { url, drop } = await createTestDatabase();
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

  const { rows } = await sql`show jit`.execute(database);

  expect(rows).toEqual([{ jit: 'off' }]);
});
