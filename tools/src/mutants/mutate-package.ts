import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { type Survivor, survivorOf } from './survivor-of.ts';

/** A package whose tests need no server, so that Stryker can run them for each mutant. */
export interface MutatedPackage {
  readonly folder: string;
  /** Under the folder; all of `src` where absent. */
  readonly sources?: string;
  /** Under the folder; all tests where absent. */
  readonly tests?: readonly string[];
}

/** How many changes were made to a package, and which of them no test noticed. */
export interface MutationResult {
  readonly folder: string;
  readonly mutants: number;
  readonly survivors: readonly Survivor[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const beside = (file: string) => relative(root, fileURLToPath(new URL(file, import.meta.url)));

// Named by process, so that two runs do not remove each other's. Not in node_modules: Vitest does not reload files there.
const tempDirName = `.data/mutants-${process.pid}`;
// On Ctrl-C, too: Stryker then exits without removing it.
process.on('exit', () => rmSync(tempDirName, { recursive: true, force: true, maxRetries: 5 }));

const isCounted = ({ status }: MutantResult) => status !== 'Ignored' && status !== 'CompileError';

/** Has Stryker change the sources of a package, one place at a time, in a copy of the checkout. */
export async function mutatePackage({
  folder,
  sources = 'src/**/*.ts',
  tests = ['test/**/*.test.ts'],
}: MutatedPackage): Promise<MutationResult> {
  process.env.MUTATED_FOLDER = folder;
  process.env.MUTATED_TESTS = tests.join(',');
  const stryker = new Stryker({
    testRunner: 'vitest',
    vitest: { configFile: beside('vitest.config.ts'), related: false },
    plugins: [
      '@stryker-mutator/vitest-runner',
      `./${beside('ignore-sentences.ts')}`,
      `./${beside('report-progress.ts')}`,
    ],
    ignorers: ['sentences'],
    mutate: [`${folder}/${sources}`],
    coverageAnalysis: 'perTest',
    // TypeScript 7 has no interface by which Stryker could read a tsconfig.
    tsconfigFile: 'none',
    ignorePatterns: ['dist', '.data', 'reports'],
    reporters: ['stderr'],
    tempDirName,
    cleanTempDir: 'always',
    allowEmpty: true,
    concurrency: 2,
    // On a busy machine a run may be slow: slowness is not a failed test.
    timeoutMS: 20_000,
  });
  const mutants = (await stryker.runMutationTest()).filter(isCounted);
  return {
    folder,
    mutants: mutants.length,
    survivors: mutants.map(survivorOf).filter((survivor) => survivor !== undefined),
  };
}
