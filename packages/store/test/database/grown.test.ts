import { createTestDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/tables.ts';
import { oldestKept } from '../../src/retention.ts';
import { growDatabase } from '../../src/testing/index.ts';
import { openDatabase } from '../setup/open-database.ts';

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
