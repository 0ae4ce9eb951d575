import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

/** A package whose tests need no server, so that Stryker can run them for each mutant. */
export interface MutatedPackage {
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
export async function mutatePackage({
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
