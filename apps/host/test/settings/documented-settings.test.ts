import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, settingNames } from '../../src/settings/read-settings.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(?<name>[A-Z_]+)` +\| (?<default>[^|]*?) +\|/gm)].map(({ groups }) => ({
  name: groups?.name ?? '',
  documented: groups?.default ?? '',
}));

test('docs/settings.md describes every setting, and nothing else', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted());
});

const defaults = rows.flatMap(({ name, documented }) => {
  if (documented === 'empty') return [{ name, value: '' }];
  const [, value] = /^`([^`]+)`$/.exec(documented) ?? [];
  return value === undefined ? [] : [{ name, value }];
});

test('the page gives a value for most defaults', () => {
  expect(defaults.length).toBeGreaterThan(15);
});

test.each(defaults)('the default of $name is $value, as documented', ({ name, value }) => {
  expect(readSettings({ [name]: value })).toEqual(readSettings({}));
});
