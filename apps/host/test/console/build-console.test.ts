import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const dist = join(root, 'apps/console/dist');

/** A file that was deleted and restored has another inode. */
const filesThere = () =>
  globSync('**/*', { cwd: dist })
    .toSorted()
    .map((path) => `${path} ${statSync(join(dist, path)).ino}`);

test('a second start of a checkout touches no file of the console that a first one serves', () => {
  const before = filesThere();
  expect(before.length).toBeGreaterThan(3);
  // The step before `npm start` that concerns the console.
  execFileSync('npm', ['run', 'build:console'], {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: 'pipe',
  });
  expect(filesThere()).toEqual(before);
});
