import { defineConfig } from 'vitest/config';

const packages = ['core', 'outbound', 'plugin-kit', 'contract-suite', 'simulator', 'store', 'delivery'];
const plugins = ['standard', 'standard-query'];
const folders = [
  ...packages.map((name) => `packages/${name}`),
  ...plugins.map((name) => `plugins/${name}`),
  'apps/host',
  'tools',
];

// Workspace packages are read from their sources, so that a test never sees a stale build.
const conditions = ['@waiver-service/source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  test: {
    projects: folders.map((folder) => ({
      root: folder,
      resolve: { conditions },
      ssr: { resolve: { conditions, externalConditions: conditions } },
      test: {
        name: folder.split('/').at(-1) ?? folder,
        include: ['test/**/*.test.ts'],
        testTimeout: 20_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
