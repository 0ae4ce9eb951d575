import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createEncryption } from '../../src/encryption/encryption.ts';
import { openStore, UnsuitableDatabase } from '../../src/index.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { migrateBefore } from '../setup/open-before.ts';
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

const key = testKey();
const open = (url: string) => openStore({ databaseUrl: url, encryptionKeys: [key] });

test('stores in several processes that open an empty database at once migrate it once', async () => {
  const { url, query } = await emptyDatabase();
  const program = fileURLToPath(new URL('open-store.ts', import.meta.url));
  const processes = [1, 2].map(() =>
    spawn(process.execPath, ['--conditions=@waiver-service/source', program, url, key.key.toString('hex')], {
      stdio: 'inherit',
    }),
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

test('opening a migrated database again changes nothing', async () => {
  const { url } = await emptyDatabase();
  const first = await open(url);
  await first.pools.put({ id: 'p1', name: 'One' });
  await first.close();
  const second = await open(url);
  expect(await second.pools.get('p1')).toMatchObject({ name: 'One' });
  await second.close();
});

test('a database that a newer version migrated is rejected with advice, and left unchanged', async () => {
  const { url, query } = await emptyDatabase();
  await (await open(url)).close();
  await query("insert into migration values ('9999-of-tomorrow', now()::text)");
  const refusal = open(url);
  await expect(refusal).rejects.toThrow(UnsuitableDatabase);
  await expect(refusal).rejects.toThrow(/newer version of the waiver service \(it has 9999-of-tomorrow\)/);
  expect(await query("select 1 from migration where name = '9999-of-tomorrow'")).toHaveLength(1);
});

test('a failed migration is rolled back', async () => {
  const { url, query } = await emptyDatabase();
  // Conflicts with a table that a later migration creates.
  await query('create table webhook_secret (id int)');
  await expect(open(url)).rejects.toThrow(/webhook_secret/);
  expect(await query("select to_regclass('pool') as pool")).toEqual([{ pool: null }]);
  await query('drop table webhook_secret');
  await (await open(url)).close();
});

test('what was installed before installs had to be approved stays active; the earliest is the default', async () => {
  const { url, query } = await emptyDatabase();
  await migrateBefore(url, '0003');
  await query("insert into pool (id, name) values ('p1', 'One'), ('p2', 'Two')");
  const encrypted = (name: string) =>
    createEncryption([key]).encrypt(
      { table: 'installation', column: 'account_encrypted', row: ['p1', name] },
      JSON.stringify({ apiKey: 'k', information: {} }),
    );
  const installed = (name: string, at: string) =>
    query(`insert into installation (pool, booking_system, status, account_id, account_encrypted, write_unit,
      takes_guest_updates, made_by, destination_id, installed_at)
      values ('p1', '${name}', 'installed', '1', '${encrypted(name)}', 'waiver', true, 'operator', '${name}', '${at}')`);
  await installed('a', '2026-02-01');
  await installed('b', '2026-01-01');
  const others = openStore({ databaseUrl: url, encryptionKeys: [testKey()] });
  await expect(others).rejects.toThrow(/ENCRYPTION_KEYS are not those of this database/);
  const store = await open(url);
  expect(await store.pools.get('p1')).toMatchObject({ installs: 'first', defaultBookingSystem: 'b' });
  expect(await store.pools.get('p2')).toMatchObject({ installs: 'first', defaultBookingSystem: null });
  expect(await store.pools.setup('p1')).toMatchObject({ bookingSystems: ['a', 'b'] });
  await store.close();
});
