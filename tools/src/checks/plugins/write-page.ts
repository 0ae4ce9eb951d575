import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkspace } from '../workspace.ts';
import { examined, pagePath, writeBookingSystemsPage } from './booking-systems-page.ts';
import { examinePlugins } from './examined-plugin.ts';

const workspace = readWorkspace(join(import.meta.dirname, '../../../..'));
const plugins = examined(await examinePlugins(workspace));
writeFileSync(join(workspace.root, pagePath), writeBookingSystemsPage(plugins));
console.log(`${pagePath}: ${plugins.length} plugins`);
