import { expect, test } from 'vitest';
import { openBefore } from '../setup/open-before.ts';

test('a limit and what was taken of it count on, and what has none stays without', async () => {
  const { client, migrated } = await openBefore('0008');
  await client.query(`insert into pool (id, name) values ('p1', 'One')`);
  await client.query(`insert into destination (id, pool, kind) values
    ('used', 'p1', 'guest-update'), ('unused', 'p1', 'guest-update'), ('free', 'p1', 'guest-update')`);
  await client.query(`insert into request_limit (destination, requests, window_ms, back_at, taken) values
    ('used', 5, 60000, array[now() + interval '30 seconds', now() + interval '40 seconds'], '{2,1}'),
    ('unused', 3, 1000, '{}', '{}')`);
  const { requestBudgets } = await migrated();
  expect(await requestBudgets.take({ destination: 'used', requests: 9 })).toMatchObject({
    requests: 2,
    makeWithinMs: 3_000,
  });
  const denied = await requestBudgets.take({ destination: 'used', requests: 1 });
  expect(denied?.requests).toBe(0);
  expect(denied?.waitMs).toBeGreaterThan(20_000);
  expect(denied?.waitMs).toBeLessThanOrEqual(30_000);
  expect(await requestBudgets.take({ destination: 'unused', requests: 9 })).toMatchObject({ requests: 3 });
  expect(await requestBudgets.take({ destination: 'free', requests: 9 })).toBeUndefined();
});
