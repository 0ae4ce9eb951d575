/** Writes the generated pages about plugins: `node write-pages.ts plugin-interface`, or `booking-systems`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagePath, readPluginInterface, withTables } from './plugin-interface/plugin-interface-page.ts';
import { exportsOf, kitPagePath, withExports } from './plugin-interface/plugin-kit-page.ts';
import { examined, writePages } from './plugins/booking-systems-page.ts';
import { examinePlugins } from './plugins/examined-plugin.ts';
import { readWorkspace } from './workspace.ts';

const workspace = readWorkspace(join(import.meta.dirname, '../../..'));
const { root, packages } = workspace;

function write(path: string, change: (page: string) => string): void {
  const file = join(root, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  console.log(path);
}

if (process.argv[2] === 'plugin-interface') {
  write(pagePath, (page) => withTables(page, readPluginInterface(root)));
  write(kitPagePath, (page) => withExports(page, exportsOf(packages.flatMap(({ files }) => files))));
} else {
  const plugins = examined(await examinePlugins(workspace));
  for (const [path, page] of writePages(root, plugins)) write(path, () => page);
}
