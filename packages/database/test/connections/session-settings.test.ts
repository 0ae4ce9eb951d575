import { createTestDatabase } from '@waiver-service/database/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { plannerSwitches } from '../../src/connections/session-settings.ts';

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
