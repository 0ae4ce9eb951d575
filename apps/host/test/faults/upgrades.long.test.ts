import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { report } from '../harness/form.ts';
import { startRollingHosts } from '../harness/rolling-hosts.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const modules = join(root, 'node_modules');
const builds = join(modules, '.cache', 'waiver-service', 'former-builds');

/** The commit of the version before, which hosts of this one run beside. */
const formerCommit = readFileSync(new URL('../faults/former-version.txt', import.meta.url), 'utf8').trim();

/** Why the version before cannot be built here; `undefined` where it can. */
function whyNoFormerBuild(): string | undefined {
  const { status } = spawnSync('git', ['cat-file', '-e', `${formerCommit}^{commit}`], { cwd: root });
  if (status === 0) return undefined;
  return `the commit ${formerCommit} is not here: this is no git clone, or a shallow one (git fetch --unshallow)`;
}

/** Builds the version before from its sources, once, with the dependencies of this checkout; returns its `main.js`. */
function buildFormer(): string {
  const build = join(builds, formerCommit);
  const program = join(build, 'apps/host/dist/main.js');
  if (existsSync(program)) return program;
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(join(builds, 'unfinished-'));
  const archive = execFileSync('git', ['archive', '--format=tar', formerCommit], {
    cwd: root,
    maxBuffer: 1024 ** 3,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  linkModules(folder);
  execFileSync(process.execPath, [join(modules, 'typescript/bin/tsc'), '-b', 'apps/host'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  renameSync(folder, build);
  return program;
}

/** Other packages are this checkout's; those of the workspace are the former version's own. */
function linkModules(folder: string): void {
  const linked = join(folder, 'node_modules');
  mkdirSync(linked);
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.') || name === '@waiver-service') continue;
    symlinkSync(join(modules, name), join(linked, name));
  }
  mkdirSync(join(linked, '@waiver-service'));
  for (const file of globSync('{packages,plugins,apps}/*/package.json', { cwd: folder })) {
    const { name }: { name: string } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    if (!name.startsWith('@waiver-service/')) continue;
    symlinkSync(join('../..', dirname(file)), join(linked, name));
    const own = join(dirname(file), 'node_modules');
    if (existsSync(join(root, own))) symlinkSync(join(root, own), join(folder, own));
  }
}

const rounds = 3;

test('hosts of the version before replaced by this one under load, back, and again: no failed request, nothing lost, nothing out of order', async (context) => {
  // Building the version before takes longer than `npm test` can wait.
  const obstacle = whyNoFormerBuild();
  if (obstacle !== undefined) return context.skip(obstacle);
  const former = buildFormer();
  const scene = await startRollingHosts(2, former);
  for (let round = 0; round < rounds; round += 1) {
    // The first new host migrates the database; the former ones go on beside it.
    await scene.replaceAll();
    if (round < rounds - 1) await scene.replaceAll(former);
  }
  const { writes, reads, messages, failed, missing, outOfOrder, atOnce, unended } = await scene.end();
  report({
    'version before': formerCommit.slice(0, 7),
    'hosts replaced': 2 * (2 * rounds - 1),
    writes,
    reads,
    messages,
    'failed requests': failed.length,
    lost: missing.length,
    'out of order': outOfOrder.length,
  });
  expect(failed).toEqual([]);
  expect(missing).toEqual([]);
  expect(outOfOrder).toEqual([]);
  expect(atOnce).toEqual([]);
  expect(unended).toEqual([]);
}, 900_000);
