import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { useMemoryFolder } from './test/memory-folder.ts';

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    'The tests need Node 24, which `npm ci` installs: put node_modules/.bin first on the PATH.',
  );
}

useMemoryFolder();

const tests = (folders: readonly string[]) => folders.map((folder) => `${folder}/test/**/*.test.ts`);

// A project has its own Vite server and its own workers, and each worker loads what it tests: a few projects take far less
// processor time than one for each folder. A folder's tests are named by its path.
const withoutDatabase = [
  'packages/core',
  'packages/waivers',
  'packages/evidence',
  'packages/forms',
  'packages/integration',
  'packages/people',
  'packages/operations',
  'packages/alerts',
  'packages/invitations',
  'packages/day-board',
  'packages/kiosk',
  'packages/guest-data',
  'packages/plugin-kit',
  'packages/octo-kit',
  'packages/contract-check',
  'packages/contract-suite',
  'packages/simulator',
  'packages/create-plugin',
  'apps/console',
  'apps/check-in',
  'apps/partner-check',
];
// Their tests patch the process, or are about processes and connections, which others' nock would patch.
const isolated = ['packages/outbound', 'packages/embedded-postgres', 'packages/http', 'packages/signing'];
// A feature's tests of its rows, and of a host that has it.
const ofRows = 'packages/*/test/{data,host}/**/*.test.ts';
// These run against a real PostgreSQL, one for the whole run.
const onPostgres = [
  'packages/database',
  'packages/outbox',
  'packages/store',
  'packages/delivery',
  'apps/host',
  'tools',
  'tools/bench',
];
const evidence = fileURLToPath(
  new URL('packages/contract-suite/src/quality/record-evidence.ts', import.meta.url),
);
const postgres = fileURLToPath(new URL('test/postgres.ts', import.meta.url));
const responses = fileURLToPath(new URL('packages/testing/src/watch-responses.ts', import.meta.url));

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
// A machine has some time zone. This one is far from UTC, has summer time, and is off the hour by 45 minutes: a time that
// is read as the machine's shows at once.
const env = { TZ: 'Pacific/Chatham' };

// Limits that end what hangs, not ones that measure: a machine with ten times as much to do is ten times slower.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };
const isLong = process.env.WAIVER_SERVICE_FAULTS === 'long';
// Tests that take long and seldom fail run in `npm run test:faults` only.
const exclude = ['**/node_modules/**', ...(isLong ? [] : ['**/*.long.test.ts'])];

export default defineConfig({
  test: {
    // Many tests wait for other processes and for time, so that more files at once gain than there are cores. In their long
    // form, many load the machine themselves: three at a time had a load of 15 on two cores, and ran into time limits.
    maxWorkers: availableParallelism() + (isLong ? 0 : 3),
    reporters: [
      'default',
      './packages/contract-suite/src/quality/quality-reporter.ts',
      './test/closing-line-reporter.ts',
    ],
    projects: [
      {
        ...reading,
        plugins: [seeding],
        test: {
          ...patience,
          env,
          name: 'packages',
          include: tests(withoutDatabase),
          exclude: [...exclude, ofRows],
          isolate: false,
        },
      },
      {
        ...reading,
        plugins: [seeding],
        test: {
          ...patience,
          env,
          name: 'plugins',
          // Every folder of plugins/ is tested: a new plugin is in no list here.
          include: tests(['plugins/*']),
          exclude,
          isolate: false,
          setupFiles: [evidence],
        },
      },
      {
        ...reading,
        plugins: [seeding],
        test: {
          ...patience,
          name: 'postgres',
          include: [...tests(onPostgres), ofRows],
          exclude,
          globalSetup: [postgres],
          setupFiles: [responses],
          isolate: false,
        },
      },
      {
        ...reading,
        plugins: [seeding],
        test: { ...patience, name: 'isolated', include: tests(isolated), exclude: [...exclude, ofRows] },
      },
    ],
  },
});
