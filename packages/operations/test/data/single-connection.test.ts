import { adverseSettings, createTestDatabase, setForDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { onSingleConnection } from '../../src/data/single-connection.ts';

const names = Object.keys(adverseSettings);

async function valuesWith(settings: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  if (Object.keys(settings).length > 0) await setForDatabase(url, settings);
  const { rows } = await onSingleConnection(url, ({ database }) =>
    sql<{ name: string; value: string }>`
      select name, current_setting(name) as value from unnest(${names}::text[]) n (name)`.execute(database),
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

test('a single connection does not depend on the settings of the database', async () => {
  const usual = await valuesWith({});
  expect(await valuesWith(adverseSettings)).toEqual(usual);
  // Alone, because one may undo another.
  for (const [name, value] of Object.entries(adverseSettings)) {
    const values = await valuesWith({ [name]: value });
    expect(values, name).toEqual(usual);
    expect(values[name], name).not.toBe(value);
  }
});
