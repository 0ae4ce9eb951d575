import { join } from 'node:path';
import { findBoundaryProblems } from './boundaries.ts';
import { findDeclarationProblems } from './declarations.ts';
import { findHouseRuleProblems, findMissingFiles, findUnexplainedDependencies } from './house-rules.ts';
import { readWorkspace } from './workspace.ts';

const workspace = readWorkspace(join(import.meta.dirname, '../../..'));
const checks = [
  findBoundaryProblems,
  findDeclarationProblems,
  findHouseRuleProblems,
  findMissingFiles,
  findUnexplainedDependencies,
];
const problems = checks.flatMap((check) => check(workspace));

for (const problem of problems) console.error(problem);
const files = workspace.packages.reduce((sum, one) => sum + one.files.length, 0);
console.log(
  `house rules: ${workspace.packages.length} packages, ${files} files, ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
