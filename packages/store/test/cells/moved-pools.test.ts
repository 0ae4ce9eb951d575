import { createTestDatabase } from '@waiver-service/store/testing';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { forgetMovedPool, recordMovedPool } from '../../src/cells/moved-pools.ts';
import type { Tables } from '../../src/database/database.ts';
import { openStore } from '../../src/index.ts';
import { installRequest, poolKeyOf } from '../setup/installed-store.ts';
import { testKey } from '../setup/open-test-store.ts';

test('a pool that has moved is gone to callers, and every host knows where it is', async () => {
  const test = await createTestDatabase();
  const keys = [testKey()];
  const store = await openStore({ databaseUrl: test.url, encryptionKeys: keys });
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: test.url, max: 1 }) }),
  });
  onTestFinished(async () => {
    await database.destroy();
    await store.close();
    await test.drop();
  });
  const move = (run: (transaction: Kysely<Tables>) => Promise<void>) => database.transaction().execute(run);
  const { pools, accessTokens, installations, movedPools } = store;
  await pools.put({ id: 'p1', name: 'One' });
  const { token } = await accessTokens.create('p1');
  const poolKey = poolKeyOf(await installations.install(installRequest));
  const isHere = async () => [
    (await accessTokens.verify(token)) !== undefined,
    (await pools.setup('p1')) !== undefined,
    (await installations.verifyPoolKey('standard', poolKey)) !== undefined,
  ];
  const cells = async () => [await movedPools.movedTo('p1'), await movedPools.movedToByKey(poolKey)];
  expect(await isHere()).toEqual([true, true, true]);
  expect(await cells()).toEqual([undefined, undefined]);
  const listening = async () => {
    const { rows } = await sql`select from pg_stat_activity
where datname = current_database() and query like 'listen waiver_service_setups;%'`.execute(database);
    return rows;
  };
  await expect.poll(listening).toHaveLength(1);

  await move((transaction) => recordMovedPool(transaction, { pool: 'p1', cell: 'us1' }));
  await expect.poll(isHere).toEqual([false, false, false]);
  await expect.poll(cells).toEqual(['us1', 'us1']);
  expect([await movedPools.movedTo('p2'), await movedPools.movedToByKey('other')]).toEqual([
    undefined,
    undefined,
  ]);
  // Written once more by a move that was killed before it knew of its commit.
  await move((transaction) => recordMovedPool(transaction, { pool: 'p1', cell: 'ap1' }));
  await expect.poll(() => movedPools.movedTo('p1')).toBe('ap1');

  await move((transaction) => forgetMovedPool(transaction, 'p1'));
  await expect.poll(isHere).toEqual([true, true, true]);
  await expect.poll(cells).toEqual([undefined, undefined]);
});
