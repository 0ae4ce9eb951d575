import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, UnsuitableDatabase } from '../../src/index.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { testKey } from '../setup/open-test-store.ts';

async function emptyDatabase() {
  const database = await createTestDatabase({ empty: true });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  return { url: database.url, query: async (text: string) => (await client.query(text)).rows };
}

const open = (url: string) => openStore({ databaseUrl: url, encryptionKeys: [testKey()] });

test('stores that open an empty database at once, in several processes, migrate it once', async () => {
  const { url, query } = await emptyDatabase();
  const program = fileURLToPath(new URL('open-store.ts', import.meta.url));
  const processes = [1, 2].map(() =>
    spawn(process.execPath, ['--conditions=@waiver-service/source', program, url], { stdio: 'inherit' }),
  );
  const exits = processes.map((child) => once(child, 'exit'));
  const stores = await Promise.all([open(url), open(url)]);
  for (const [code] of await Promise.all(exits)) expect(code).toBe(0);
  for (const store of stores) {
    expect(await store.ready()).toBe(true);
    await store.close();
  }
  expect((await query('select name from migration order by name')).map(({ name }) => name)).toEqual(
    Object.keys(migrations),
  );
});

test('a second opening leaves what is there', async () => {
  const { url } = await emptyDatabase();
  const first = await open(url);
  await first.pools.put({ id: 'p1', name: 'One' });
  await first.close();
  const second = await open(url);
  expect(await second.pools.get('p1')).toMatchObject({ name: 'One' });
  await second.close();
});

test('a database of a newer version is refused in a sentence, and left as it is', async () => {
  const { url, query } = await emptyDatabase();
  await (await open(url)).close();
  await query("insert into migration values ('9999-of-tomorrow', now()::text)");
  const refusal = open(url);
  await expect(refusal).rejects.toThrow(UnsuitableDatabase);
  await expect(refusal).rejects.toThrow(/newer version of the waiver service \(it has 9999-of-tomorrow\)/);
  expect(await query("select 1 from migration where name = '9999-of-tomorrow'")).toHaveLength(1);
});

test('a migration that fails leaves nothing half done', async () => {
  const { url, query } = await emptyDatabase();
  // In the way of a table that a migration makes late.
  await query('create table webhook_secret (id int)');
  await expect(open(url)).rejects.toThrow(/webhook_secret/);
  expect(await query("select to_regclass('pool') as pool")).toEqual([{ pool: null }]);
  await query('drop table webhook_secret');
  await (await open(url)).close();
});
