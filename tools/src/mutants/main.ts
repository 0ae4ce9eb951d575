import { globSync, rmSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

/** A package whose tests need no server, so that Stryker can run them for each mutant. */
interface MutatedPackage {
  readonly folder: string;
  /** Below the folder; default: all of `src`. */
  readonly sources?: string;
  /** Below the folder; default: all tests. */
  readonly tests?: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const beside = (file: string) => relative(root, fileURLToPath(new URL(file, import.meta.url)));

// The process id keeps two runs from removing each other's. Not in node_modules: Vitest does not reload files there.
const tempDirName = `.data/mutants-${process.pid}`;
// On Ctrl-C, Stryker exits without removing it.
process.on('exit', () => rmSync(tempDirName, { recursive: true, force: true, maxRetries: 5 }));

/**
 * Has Stryker change the sources of a package, one place at a time, in a copy of the checkout. Stryker reports the
 * changes that no test noticed, and sets the exit status if there are too many.
 */
async function mutatePackage({
  folder,
  sources = 'src/**/*.ts',
  tests = 'test/**/*.test.ts',
}: MutatedPackage): Promise<void> {
  process.env.MUTATED_FOLDER = folder;
  process.env.MUTATED_TESTS = tests;
  const stryker = new Stryker({
    testRunner: 'vitest',
    vitest: { configFile: beside('vitest.config.ts'), related: false },
    plugins: ['@stryker-mutator/vitest-runner', `./${beside('ignore-sentences.ts')}`],
    ignorers: ['sentences'],
    mutate: [`${folder}/${sources}`],
    coverageAnalysis: 'perTest',
    // TypeScript 7 has no API through which Stryker could read a tsconfig.
    tsconfigFile: 'none',
    ignorePatterns: ['dist', '.data', 'reports'],
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { logTests: false, reportTests: false },
    thresholds: { high: 100, low: 85, break: 85 },
    tempDirName,
    cleanTempDir: 'always',
    allowEmpty: true,
    concurrency: 2,
    // A run may be slow on a busy machine, which is not a failed test.
    timeoutMS: 20_000,
  });
  await stryker.runMutationTest();
}

const packages: readonly MutatedPackage[] = [
  { folder: 'packages/core' },
  { folder: 'packages/waivers' },
  // Without the test that counts the verifier's lines: Stryker's changes add many.
  { folder: 'packages/evidence', tests: 'test/!(verify-source).test.ts' },
  // Without the example forms and the sentences, which are texts, and without property tests, which would take hours.
  {
    folder: 'packages/forms',
    sources: 'src/{*,publishing/*,sentences/sentences}.ts',
    tests: 'test/!(properties).test.ts',
  },
  { folder: 'packages/plugin-kit' },
  { folder: 'packages/octo-kit' },
  { folder: 'packages/delivery', sources: 'src/policy/**/*.ts', tests: 'test/policy/**/*.test.ts' },
  ...globSync('plugins/*/package.json')
    .toSorted()
    .map((file) => ({ folder: dirname(file) })),
];

const chosen = process.argv.slice(2);
const names = packages.map(({ folder }) => folder);
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown package ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}
for (const one of packages) {
  if (chosen.length > 0 && !chosen.includes(one.folder)) continue;
  console.log(one.folder);
  await mutatePackage(one);
}
