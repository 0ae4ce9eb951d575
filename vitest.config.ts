import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { useMemoryFolder } from './test/memory-folder.ts';

useMemoryFolder();

const packages = [
  'core',
  'waivers',
  'evidence',
  'forms',
  'outbound',
  'plugin-kit',
  'octo-kit',
  'contract-check',
  'contract-suite',
  'simulator',
  'create-plugin',
  'embedded-postgres',
  'store',
  'delivery',
];
// Every folder of plugins/ that is a package is tested: a new plugin is in no list here.
const plugins = globSync('plugins/*/package.json', { cwd: import.meta.dirname })
  .map(dirname)
  .toSorted();
const folders = [
  ...packages.map((name) => `packages/${name}`),
  ...plugins,
  'apps/console',
  'apps/check-in',
  'apps/host',
  'apps/partner-check',
  'tools',
  'tools/bench',
];

// These run against a real PostgreSQL, one for the whole run.
const onPostgres = new Set(['packages/store', 'packages/delivery', 'apps/host', 'tools', 'tools/bench']);
// They patch nothing of their process: a worker runs many of their files.
const pure = new Set([
  'packages/core',
  'packages/waivers',
  'packages/evidence',
  'packages/forms',
  'packages/simulator',
  'packages/create-plugin',
  'apps/console',
  'apps/check-in',
]);
const evidence = fileURLToPath(new URL('tools/src/plugin-evidence/record-evidence.ts', import.meta.url));
const postgres = fileURLToPath(new URL('test/postgres.ts', import.meta.url));

// Workspace packages are read from their sources, so that a test never sees a stale build. Vitest forces these on Node
// too, on `require` as on `import`: `import` among them would hand ES modules to CommonJS packages such as pg.
const conditions = ['@waiver-service/source', 'node'];

const seededProperties = fileURLToPath(new URL('test/seeded-properties.ts', import.meta.url));
// Not a set-up file: only files that have properties load fast-check.
const seeding = {
  name: 'seeded-properties',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('.test.ts') && code.includes("from 'fast-check'")
      ? { code: `import '${seededProperties}'; ${code}`, map: null }
      : undefined,
};

const resolve = { conditions, externalConditions: conditions };
// Global set-up runs in a separate environment.
const reading = { resolve: { conditions }, ssr: { resolve }, environments: { __vitest__: { resolve } } };
// A machine has some time zone: these projects run in zones that are far from UTC, have summer time, and are half an hour
// off the hour. A time read as the machine's own shows at once.
const zones: Readonly<Record<string, string>> = {
  'packages/core': 'America/St_Johns',
  'packages/plugin-kit': 'Pacific/Auckland',
  'packages/octo-kit': 'Pacific/Auckland',
};
const zoneOf = (folder: string) =>
  zones[folder] ?? (plugins.includes(folder) ? 'Pacific/Auckland' : undefined);

// Limits that end what hangs, not ones that measure: a machine with ten times as much to do is ten times slower.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };
const faults = 'test/faults/*.test.ts';
// Tests that take long and seldom fail run in `npm run test:faults` only.
const long = process.env.WAIVER_SERVICE_FAULTS === 'long' ? [] : ['test/**/*.long.test.ts'];

export default defineConfig({
  test: {
    // Many tests wait for other processes and for time, so that more files at once gain than there are cores.
    maxWorkers: availableParallelism() + 2,
    reporters: [
      'default',
      './tools/src/plugin-evidence/plugin-quality-reporter.ts',
      './test/closing-line-reporter.ts',
    ],
    projects: [
      ...folders.map((folder) => ({
        root: folder,
        ...reading,
        plugins: [seeding],
        test: {
          ...patience,
          name: folder.split('/').at(-1) ?? folder,
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', faults, ...long],
          globalSetup: onPostgres.has(folder) ? [postgres] : [],
          // Loading the host or the store for each file takes a quarter of the processor time of all tests. Plugins stay
          // isolated: nock patches the process, and the code that ran is counted for each of them.
          isolate: !onPostgres.has(folder) && !pure.has(folder),
          setupFiles: plugins.includes(folder) ? [evidence] : [],
          env: { ...(zoneOf(folder) === undefined ? {} : { TZ: zoneOf(folder) }) },
        },
      })),
      {
        root: 'apps/host',
        ...reading,
        test: {
          ...patience,
          name: 'faults',
          include: [faults],
          exclude: ['**/node_modules/**', ...long],
          globalSetup: [postgres],
        },
      },
    ],
  },
});
