import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOutbox } from '../setup/open-outbox.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/guest-data.md'), 'utf8');

/** The rows of the list of all columns: table, columns with guests' data, other columns. */
const inventory = page
  .slice(page.indexOf('## Every column'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, 4)
      .map((cell) => [...cell.matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? [])),
  );

test('docs/guest-data.md says of every column whether it can hold guests’ data', async () => {
  const { query } = await openOutbox();
  const columns = await query(`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`);
  const listed = inventory.flatMap(([table = [], withData = [], without = []]) =>
    [...withData, ...without].map((column) => `${table[0]}.${column}`),
  );
  expect(
    listed.toSorted(),
    'a column with guests’ data must be covered by erasure, retention and export (FeatureData, packages/guest-data) first',
  ).toEqual(columns.map(({ name }) => name).toSorted());
});

test('each table with guests’ data is among those that say how long it is kept and how it is erased', () => {
  const explained = page.slice(page.indexOf('## Where it is'), page.indexOf('## What is left on disk'));
  const silent = inventory
    .filter(([, withData = []]) => withData.length > 0)
    .flatMap(([table = []]) => table)
    .filter((table) => !explained.includes(`\`${table}\``));
  expect(silent).toEqual([]);
});
