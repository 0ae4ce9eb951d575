import { UnsuitableDatabase } from '@waiver-service/database';
import { adverseSettings, createTestDatabase, setForDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { schema } from '../../src/database/schema.ts';

async function createDatabase(settings: Readonly<Record<string, string>>) {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  if (Object.keys(settings).length > 0) await setForDatabase(url, settings);
  return url;
}

function open(databaseUrl: string) {
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 20_000,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  return database;
}

const names = Object.keys(adverseSettings);

async function valuesIn(url: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from unnest(${names}::text[]) n (name)`.execute(open(url));
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

test('connections do not depend on the settings of the database', async () => {
  const usual = await valuesIn(await createDatabase({}));
  expect(await valuesIn(await createDatabase(adverseSettings))).toEqual(usual);
  // Alone, because one may undo another.
  for (const [name, value] of Object.entries(adverseSettings)) {
    const values = await valuesIn(await createDatabase({ [name]: value }));
    expect(values, name).toEqual(usual);
    expect(values[name], name).not.toBe(value);
  }
});

test('where triggers would not run and the role cannot change it, the service says what to reset', async () => {
  const url = await createDatabase({ session_replication_role: 'replica' });
  const role = `waivers_${process.pid}`;
  const asSuperuser = new Client({ connectionString: url });
  await asSuperuser.connect();
  onTestFinished(async () => {
    await asSuperuser.query(`drop owned by ${role}`);
    await asSuperuser.query(`drop role ${role}`);
    await asSuperuser.end();
  });
  await asSuperuser.query(`create role ${role} login; grant all on all tables in schema public to ${role}`);
  const asRole = url.replace(/\/\/[^@/]*@/, `//${role}@`);
  await expect(schema.migrate(asRole)).rejects.toThrow(/session_replication_role is replica.* reset/);
  await schema.migrate(url);
});

test('a search path that misses the service’s tables is named, rather than a second schema created', async () => {
  const url = await createDatabase({});
  await schema.migrate(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create schema other');
  await client.end();
  await setForDatabase(url, { search_path: 'other' });
  const refusal = schema.migrate(url);
  await expect(refusal).rejects.toThrow(UnsuitableDatabase);
  await expect(refusal).rejects.toThrow(/are in the schema public, and the search_path \(other\)/);
});
