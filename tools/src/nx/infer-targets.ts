import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateNodes, ProjectConfiguration, TargetConfiguration } from '@nx/devkit';

const pages = ['@waiver-service/console', '@waiver-service/check-in'];
// These tests start hosts that serve the pages.
const servingPages = ['apps/host', 'tools'];

const run = (command: string): TargetConfiguration => ({
  executor: 'nx:run-commands',
  options: { command },
});

/** What every package has: nx.json's `targetDefaults` say what each target depends on and whether it is cached. */
function inferPackage(root: string): ProjectConfiguration {
  const isPage = existsSync(join(root, 'index.html'));
  // Vitest selects by what a path contains: `tools/` alone would select the benchmarks' tests, too.
  const tests = root === 'tools' ? 'tools/test/' : `${root}/`;
  const test = run(`env -u FORCE_COLOR vitest run ${tests}`);
  if (servingPages.includes(root)) test.dependsOn = ['build', { projects: pages, target: 'build' }];
  // Its tests read the whole repository.
  if (root === 'tools') test.inputs = ['repository', 'testRun'];
  return {
    root,
    targets: {
      build: run(isPage ? `node tools/src/web-pages/build.ts ${root}` : `tsc -b ${root}`),
      check: run(`biome ci ${root} && tsc -b ${root}`),
      test,
    },
  };
}

/**
 * The repository as a whole. `tsc -b`, Biome and Vitest handle all packages in one process each, far sooner than one
 * process for each package would: these are the targets of the npm scripts.
 */
function inferRepository(): ProjectConfiguration {
  return {
    root: '.',
    name: 'waiver-service',
    // Whatever changes, changes the repository.
    implicitDependencies: ['*'],
    targets: {
      compile: run('tsc -b'),
      pages: run('node tools/src/web-pages/build.ts apps/console apps/check-in'),
      build: { executor: 'nx:noop', dependsOn: ['compile', 'pages'] },
      lint: run('biome ci .'),
      'house-rules': run('node --conditions=@waiver-service/source tools/src/checks/main.ts'),
      check: { executor: 'nx:noop', dependsOn: ['lint', 'compile', 'house-rules'] },
      // Not `test`: `nx affected -t test` is to run what is affected.
      'test-all': run('env -u FORCE_COLOR vitest run'),
    },
  };
}

/** Nx plugin: gives each folder with a package.json its targets, so that no package.json repeats them. */
export const createNodes: CreateNodes = [
  '{package.json,{packages,plugins,apps}/*/package.json,tools/package.json,tools/bench/package.json}',
  (files) =>
    files.map((file) => {
      const root = file === 'package.json' ? '.' : file.slice(0, -'/package.json'.length);
      const project = root === '.' ? inferRepository() : inferPackage(root);
      return [file, { projects: { [root]: project } }];
    }),
];
