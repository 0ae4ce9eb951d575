import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnknownLicenses } from '../package/production-packages.ts';
import { findBoundaryProblems, findStoreLayerProblems } from './boundaries.ts';
import { findUnannouncedBreaks, readReleasedSurface } from './compatibility/compatibility.ts';
import { readSurface } from './compatibility/surface.ts';
import { findHouseRuleProblems, findMissingFiles, findUnexplainedDependencies } from './house-rules.ts';
import { findBrokenLinks, findUnshownThreats } from './links.ts';
import { findDeclarationProblems, findManifestProblems } from './manifests.ts';
import { findStalePluginInterface, readPluginInterface } from './plugin-interface/plugin-interface-page.ts';
import { findStaleKitPage } from './plugin-interface/plugin-kit-page.ts';
import { findPluginEscapes, findPluginFileProblems } from './plugin-sources.ts';
import { findStalePages } from './plugins/booking-systems-page.ts';
import { examinePlugins } from './plugins/examined-plugin.ts';
import { findQualityProblems } from './plugins/quality.ts';
import { findForeignTables, findMigrationProblems } from './tables.ts';
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
