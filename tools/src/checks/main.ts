import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnknownLicenses } from '../package/licenses.ts';
import { findBoundaryProblems } from './boundaries.ts';
import { findUnannouncedBreaks, readReleasedSurface } from './compatibility/compatibility.ts';
import { readSurface } from './compatibility/surface.ts';
import { findDeclarationProblems } from './declarations.ts';
import { findHouseRuleProblems, findMissingFiles, findUnexplainedDependencies } from './house-rules.ts';
import { findBrokenLinks } from './links.ts';
import { findManifestProblems } from './manifests.ts';
import { findMigrationProblems } from './migrations.ts';
import { findPluginFileProblems } from './plugin-files.ts';
import { findStalePluginInterface } from './plugin-interface/plugin-interface-page.ts';
import { findStaleKitPage } from './plugin-interface/plugin-kit-page.ts';
import { readPluginInterface } from './plugin-interface/read-declarations.ts';
import { findPluginEscapes } from './plugin-isolation.ts';
import { findStalePages } from './plugins/booking-systems-page.ts';
import { examinePlugins } from './plugins/examined-plugin.ts';
import { findQualityProblems } from './plugins/quality-problems.ts';
import { findStoreLayerProblems } from './store-layers.ts';
import { findForeignTables } from './tables.ts';
import { findUnshownThreats } from './threats.ts';
import { findWorkflowProblems } from './workflows.ts';
import { readWorkspace } from './workspace.ts';

const workspace = readWorkspace(join(import.meta.dirname, '../../..'));
const checks = [
  findBoundaryProblems,
  findPluginEscapes,
  findDeclarationProblems,
  findHouseRuleProblems,
  findPluginFileProblems,
  findMissingFiles,
  findUnexplainedDependencies,
  findBrokenLinks,
  findUnknownLicenses,
  findUnshownThreats,
  findMigrationProblems,
  findStoreLayerProblems,
  findForeignTables,
  findWorkflowProblems,
  findManifestProblems,
  findStaleKitPage,
];
const plugins = await examinePlugins(workspace);
const declared = readPluginInterface(workspace.root);
const problems = [
  ...checks.flatMap((check) => check(workspace)),
  ...findQualityProblems(plugins),
  ...findStalePages(workspace.root, plugins),
  ...findStalePluginInterface(workspace.root, declared),
  ...findUnannouncedBreaks(
    readReleasedSurface(workspace.root),
    readSurface(workspace, declared),
    readFileSync(join(workspace.root, 'CHANGELOG.md'), 'utf8'),
  ),
];

for (const problem of problems) console.error(problem);
const files = workspace.packages.reduce((sum, one) => sum + one.files.length, 0);
console.log(
  `house rules: ${workspace.packages.length} packages, ${files} files, ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
