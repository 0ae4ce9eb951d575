import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import type { Tables } from '../../src/database/database.ts';
import { claimLanes } from '../../src/outbox/claim-lanes.ts';
import { createTestDatabase, openWaitingLanes } from '../../src/testing/index.ts';

const lanesOfEach = 200;
const claimed = 200;

test('a claim looks at what it claims alone, also where the statistics are of a moment when nothing was ready', async () => {
  const { url, drop } = await createTestDatabase();
  const pool = new Pool({ connectionString: url });
  const statements: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  });
  const lanes = openWaitingLanes(url);
  const destinations = await lanes.seed(Array.from({ length: 10 }, () => lanesOfEach));
  await lanes.settle();
  await pool.query('vacuum analyze');
  await pool.query(`update delivery set state = 'waiting'`);
  await pool.query(`update lane set state = 'ready', done_sequence = 0`);

  const shares = destinations.map((destination) => ({ destination, slots: claimed }));
  const request = { shares, limit: claimed, retrying: false, leaseMs: 15_000 };
  expect(await claimLanes(database, request)).toHaveLength(claimed);
  const [claim] = statements;
  const { rows } = await pool.query(`explain (analyze, format json) ${claim?.sql}`, [
    ...(claim?.parameters ?? []),
  ]);
  const thrownAway = [...JSON.stringify(rows).matchAll(/"Rows Removed by [^"]+":(\d+)/g)].map(([, count]) =>
    Number(count),
  );
  // Each lane of the claim against every lane that is ready would be 400,000.
  expect(Math.max(0, ...thrownAway)).toBeLessThan(20_000);
  await lanes.close();
  await database.destroy();
  await drop();
});
