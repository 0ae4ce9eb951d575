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

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const modules = join(root, 'node_modules');
// Not in node_modules: there, Node.js runs no TypeScript, and the pages' builder is in it.
const builds = join(root, '.data/former-versions');

/** The commits of the releases that are kept, oldest first: hosts of this version take over from them. */
export const formerVersions = readFileSync(new URL('../faults/former-versions.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

/** Why a former version cannot be built here; `undefined` where it can. */
export function whyNoFormer(commit: string): string | undefined {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root });
  if (status === 0) return undefined;
  return `the commit ${commit} is not here: this is no git clone, or a shallow one (git fetch --unshallow)`;
}

/** Writes the sources of a former version into a folder. */
export function writeFormerSources(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', '--format=tar', commit], {
    cwd: root,
    maxBuffer: 1024 ** 3,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
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

/**
 * Builds the host of a former version and its pages from the sources, once, with the dependencies of this checkout.
 * @returns its `main.js`
 */
export function buildFormer(commit: string): string {
  const build = join(builds, commit);
  const program = join(build, 'apps/host/dist/main.js');
  if (existsSync(program)) return program;
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(join(builds, 'unfinished-'));
  writeFormerSources(commit, folder);
  linkModules(folder);
  for (const words of [
    [join(modules, 'typescript/bin/tsc'), '-b', 'apps/host'],
    ['tools/src/web-pages/build.ts', 'apps/console', 'apps/check-in'],
  ]) {
    execFileSync(process.execPath, words, {
      cwd: folder,
      // Vitest's own would be taken for the pages', too.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  renameSync(folder, build);
  return program;
}
