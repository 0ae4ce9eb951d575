import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from 'vitest';

const { MUTATED_FOLDER = '', MUTATED_TESTS = '' } = process.env;

// One test file for the whole package: with separate files, each would start a worker and import the package, several
// times for each change. With several files in one worker (`isolate: false`), Stryker would mix up which test covers
// which change.
for (const file of globSync(MUTATED_TESTS, { cwd: MUTATED_FOLDER }).toSorted()) {
  describe(file, async () => {
    await import(/* @vite-ignore */ resolve(MUTATED_FOLDER, file));
  });
}
