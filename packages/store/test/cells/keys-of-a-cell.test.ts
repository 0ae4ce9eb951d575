import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { installRequest, poolKeyOf } from '../setup/installed-store.ts';
import { testKey } from '../setup/open-test-store.ts';

const router = readFileSync(join(import.meta.dirname, '../../../../deploy/haproxy-cells.cfg'), 'utf8');
const routed = new RegExp(/-m reg '(.+)'/.exec(router)?.[1] ?? 'none');

test('keys of every kind have the cell’s name in them, and those from before it had one stay valid', async () => {
  const database = await createTestDatabase();
  const encryptionKeys = [testKey()];
  const open = (cell?: string) => openStore({ databaseUrl: database.url, encryptionKeys, cell });
  const [nameless, store] = [await open(), await open('eu-1')];
  onTestFinished(async () => {
    await Promise.all([nameless.close(), store.close()]);
    await database.drop();
  });
  await nameless.pools.put({ id: 'p1', name: 'One' });
  const former = await nameless.accessTokens.create('p1');

  const accessToken = await store.accessTokens.create('p1');
  const credential = await store.credentials.create({ name: 'Ada', role: 'owner' });
  const installKey = await store.installKeys.create('standard');
  const poolKey = poolKeyOf(await store.installations.install(installRequest));
  const keys = [accessToken.token, credential.token, installKey.key, poolKey];
  for (const [place, prefix] of ['wst', 'wsc', 'wsi', 'wsp'].entries()) {
    expect(keys[place]).toMatch(new RegExp(`^${prefix}_eu-1\\.[A-Za-z0-9_-]{43}$`));
    expect(keys[place], 'deploy/haproxy-cells.cfg').toMatch(routed);
  }

  expect(former.token).not.toMatch(routed);

  expect(await store.accessTokens.verify(former.token)).toMatchObject({ pool: 'p1' });
  expect(await nameless.accessTokens.verify(accessToken.token)).toMatchObject({ pool: 'p1' });
  expect(await store.credentials.verify(credential.token)).toMatchObject({ name: 'Ada' });
  expect(await store.installKeys.verify('standard', installKey.key)).toEqual({ id: installKey.id });
  expect(await store.installations.verifyPoolKey('standard', poolKey)).toMatchObject({ pool: 'p1' });
  const { items } = await store.accessTokens.list('p1', { limit: 10 });
  expect(items.map(({ hint }) => hint)).toEqual([
    `wst_…${former.token.slice(-4)}`,
    `wst_eu-1.…${accessToken.token.slice(-4)}`,
  ]);
});
