import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const minutes = Number(process.argv[2] ?? 60);
if (!(minutes > 0)) {
  console.error(`npm run test:properties [-- <minutes>]: "${process.argv[2]}" is no number of minutes`);
  process.exit(2);
}

// The fault tests have a long form of their own.
const files = globSync('{{packages,plugins,apps}/*,tools,tools/bench}/test/**/*.test.ts', {
  cwd: root,
}).filter(
  (path) =>
    !path.includes('/faults/') && readFileSync(join(root, path), 'utf8').includes("from 'fast-check'"),
);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot', ...files];

const startedAt = performance.now();
const elapsedMinutes = () => (performance.now() - startedAt) / 60_000;
for (let seeds = 1; seeds === 1 || elapsedMinutes() < minutes; seeds += 1) {
  const seed = randomInt(2 ** 31);
  const env = { ...process.env, WAIVER_SERVICE_PROPERTY_SEED: String(seed) };
  const { status, stdout, stderr } = spawnSync(process.execPath, vitest, {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(
      `${stdout}${stderr}\nRun it again: WAIVER_SERVICE_PROPERTY_SEED=${seed} npx vitest run <file>`,
    );
    process.exit(1);
  }
  console.log(`seed ${seed}: all properties hold (${seeds} seeds in ${elapsedMinutes().toFixed(1)} min)`);
}
