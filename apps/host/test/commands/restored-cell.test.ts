import { randomBytes } from 'node:crypto';
import { movePool, openStore } from '@waiver-service/store';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';

const encryptionKeys = [{ id: 'k1', key: randomBytes(32) }];

async function openCell(cell: string) {
  const { url: databaseUrl, drop } = await createTestDatabase();
  onTestFinished(drop);
  const store = await openStore({ databaseUrl, encryptionKeys, cell });
  onTestFinished(() => store.close());
  return { databaseUrl, store };
}

test('a pool that a backup from before its move has brought back leaves by the documented statements', async () => {
  const [source, target] = [await openCell('eu1'), await openCell('us1')];
  for (const { store } of [source, target]) await store.pools.put({ id: 'rafting', name: 'Rafting' });
  const { token } = await source.store.accessTokens.create('rafting');
  await source.store.waivers.create({
    pool: 'rafting',
    id: 'w1',
    bookingId: null,
    bookingSystem: null,
    bookingGuestId: null,
    activities: [],
    currentPage: null,
    answers: { name: 'Ada' },
  });

  const client = new Client({ connectionString: source.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(documentedBlock('docs/operating.md', 'begin;'));
  expect(await source.store.accessTokens.verify(token)).toBeUndefined();
  expect(await source.store.movedPools.movedTo('rafting')).toBe('us1');

  await movePool({
    databaseUrl: source.databaseUrl,
    targetUrl: target.databaseUrl,
    encryptionKeys,
    pool: 'rafting',
    cell: 'us1',
    fromCell: 'eu1',
    settleMs: 0,
  });
  const { rows } = await client.query(`select id from waiver union all select id from destination
    union all select id from pool union all select pool from pool_move`);
  expect(rows).toEqual([]);
  expect(await target.store.pools.get('rafting')).toMatchObject({ name: 'Rafting' });
});
