import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagePath, withTables } from './plugin-interface-page.ts';
import { readPluginInterface } from './read-declarations.ts';

const root = join(import.meta.dirname, '../../../..');
const page = join(root, pagePath);
writeFileSync(page, withTables(readFileSync(page, 'utf8'), readPluginInterface(root)));
console.log(pagePath);
