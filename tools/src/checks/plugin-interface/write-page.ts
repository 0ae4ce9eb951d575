import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkspace } from '../workspace.ts';
import { pagePath, withTables } from './plugin-interface-page.ts';
import { exportsOf, kitPagePath, withExports } from './plugin-kit-page.ts';
import { readPluginInterface } from './read-declarations.ts';

const { root, packages } = readWorkspace(join(import.meta.dirname, '../../../..'));

function update(path: string, change: (page: string) => string): void {
  const file = join(root, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  console.log(path);
}

update(pagePath, (page) => withTables(page, readPluginInterface(root)));
update(kitPagePath, (page) => withExports(page, exportsOf(packages.flatMap(({ files }) => files))));
