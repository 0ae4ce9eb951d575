import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Node itself loads the other packages from their builds: Vite would read their sources again for each change.
const conditions = ['node'];
const built = /\/packages\/[^/]+\/dist\//;

const allTests = fileURLToPath(new URL('all-tests.ts', import.meta.url));

/**
 * Runs the tests of the package whose sources Stryker changes. Stryker starts the processes that read this file, so
 * only the environment can name the package.
 */
export default defineConfig({
  root: process.env.MUTATED_FOLDER,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [allTests],
    testTimeout: 20_000,
    server: { deps: { external: [built] } },
  },
});
