import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkspace } from '../workspace.ts';
import { examined, writePages } from './booking-systems-page.ts';
import { examinePlugins } from './examined-plugin.ts';

const workspace = readWorkspace(join(import.meta.dirname, '../../../..'));
const plugins = examined(await examinePlugins(workspace));
for (const [path, page] of writePages(workspace.root, plugins)) {
  writeFileSync(join(workspace.root, path), page);
  console.log(`${path}: ${plugins.length} plugins`);
}
