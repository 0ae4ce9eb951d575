import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingNames } from '../../src/settings/read-settings.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8');

test('docs/settings.md describes every setting, and nothing else', () => {
  const described = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
  expect(described.toSorted()).toEqual(settingNames.toSorted());
});
