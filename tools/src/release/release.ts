import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { writeReleasedSurface } from '../checks/compatibility/compatibility.ts';
import { readSurface } from '../checks/compatibility/surface.ts';
import { publishedPackages } from '../checks/manifests.ts';
import { readPluginInterface } from '../checks/plugin-interface/plugin-interface-page.ts';
import { isTool, readWorkspace, type Workspace, type WorkspacePackage } from '../checks/workspace.ts';
import {
  type OutsidePlace,
  openOutsidePlace,
  type PackedPackage,
  packPackages,
} from '../outside/outside-place.ts';
import { billOfMaterials, productionPackages } from '../package/production-packages.ts';
import { type Commit, readUnreleased, withRelease } from './changelog.ts';

const block = /(?:^<!-- ts:((?:(?!-->)[\s\S])*)-->\s*)?^```(ts|sh)\n([\s\S]*?)^```$/m;

/** A README's first example, as a program of Node or of a shell. */
interface Example {
  readonly language: 'ts' | 'sh';
  readonly text: string;
}

/**
 * A README's first example, if it can run by itself. Of one that needs what the comment before it declares, the imports.
 * Of commands, those that create something: others need a server.
 */
export function exampleOf(readme: string): Example | undefined {
  const [, declared, language, text = ''] = block.exec(readme) ?? [];
  if (language === 'sh') return text.startsWith('npm create ') ? { language, text } : undefined;
  // An example of a test imports the plugin that it tests.
  if (language !== 'ts' || text.includes("from '../")) return undefined;
  if (declared === undefined) return { language, text };
  return { language, text: [...text.matchAll(/^import [\s\S]*?;$/gm)].join('\n') };
}

const manifestSchema = z.object({
  bin: z.union([z.string(), z.record(z.string(), z.string())]).default({}),
});

const commandsOf = ({ name, manifest }: PackedPackage): string[] => {
  const { bin } = manifestSchema.parse(manifest);
  return typeof bin === 'string' ? [name] : Object.keys(bin);
};

/**
 * Installs a package into an empty project and runs its README's first example, and each of its commands with `--help`.
 * @param source - the package's folder, with its README
 * @returns a sentence with the commands that were run
 * @throws Error with the output of the first that fails
 */
async function tryPackage(place: OutsidePlace, packed: PackedPackage, source: string): Promise<string> {
  const folder = place.folder(packed.folder.replaceAll('/', '-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const example = exampleOf(readFileSync(join(source, 'README.md'), 'utf8'));
  if (example?.language === 'ts') writeFileSync(join(folder, 'example.ts'), example.text);
  const commands = [
    `npm install ${packed.name}`,
    ...commandsOf(packed).map((command) => `npx --no-install ${command} --help`),
    ...(example === undefined ? [] : [example.language === 'ts' ? 'node example.ts' : example.text]),
  ];
  for (const command of commands) {
    const { status, output } = await place.run(folder, ['sh', '-euc', command]);
    if (status !== 0) throw new Error(`${packed.name}: ${command} ended with status ${status}\n${output}`);
  }
  return `${packed.name}: ${commands.map((command) => command.trim().replaceAll('\n', '; ')).join('; ')}`;
}

// Unlike an object schema, keeps the order of the keys.
const entries = z.record(z.string(), z.unknown());
type Entries = z.infer<typeof entries>;

const dependencyLists = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);

const mapEntries = (given: unknown, change: (key: string, value: unknown) => unknown): Entries =>
  Object.fromEntries(Object.entries(entries.parse(given)).map(([key, value]) => [key, change(key, value)]));

/**
 * Sets the version of all packages below `root`, also where they depend on each other, of the Helm chart, and in
 * package-lock.json, whose other entries stay as they are.
 */
export function setVersion(root: string, version: string): void {
  const { packages } = readWorkspace(root);
  const own = new Set(packages.map(({ name }) => name));
  const withVersion = (manifest: unknown) =>
    mapEntries(manifest, (key, value) => {
      if (key === 'version') return version;
      if (!dependencyLists.has(key)) return value;
      return mapEntries(value, (name, range) => (own.has(name) ? version : range));
    });
  const rewrite = (path: string, change: (content: unknown) => unknown) => {
    const file = join(root, path);
    const content = change(JSON.parse(readFileSync(file, 'utf8')));
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  };
  for (const folder of ['.', ...packages.map((one) => one.folder)])
    rewrite(join(folder, 'package.json'), withVersion);
  const chart = join(root, 'deploy/helm/Chart.yaml');
  const withChartVersion = readFileSync(chart, 'utf8').replace(
    /^(version|appVersion): .*$/gm,
    `$1: ${version}`,
  );
  writeFileSync(chart, withChartVersion);
  rewrite('package-lock.json', (lock) =>
    mapEntries(withVersion(lock), (key, value) => {
      if (key !== 'packages') return value;
      return mapEntries(value, (path, locked) =>
        path.includes('node_modules/') ? locked : withVersion(locked),
      );
    }),
  );
}

/** Why there can be no release, as a sentence. */
export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';
}

async function run(folder: string, program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, { cwd: folder, maxBuffer: 2 ** 26 });
  return stdout.trim();
}

const versionSchema = z.object({ version: z.string() });

async function refuseUnready(root: string, version: string): Promise<void> {
  const present = versionSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version;
  if (!/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version))
    throw new ReleaseRefused(
      `${JSON.stringify(version)} is no version: give one such as 1.2.3 or 1.2.3-beta.1`,
    );
  if (version.localeCompare(present, 'en', { numeric: true }) < 0)
    throw new ReleaseRefused(`${version} is older than ${present}, which package.json has`);
  if ((await run(root, 'git', 'tag', '--list', `v${version}`)) !== '')
    throw new ReleaseRefused(`There is a tag v${version} already: a version is released once`);
  if ((await run(root, 'git', 'status', '--porcelain')) !== '')
    throw new ReleaseRefused('There are changes that are not committed: a release is made of a commit');
  if (readUnreleased(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).summary === '')
    throw new ReleaseRefused('Write below "Unreleased" in CHANGELOG.md what the release is about');
}

/** The commits since the last release; none before the first, which has no former one to differ from. */
async function commitsSinceRelease(root: string): Promise<Commit[]> {
  const tags = await run(root, 'git', 'tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-creatordate');
  const [last] = tags.split('\n');
  if (!last) return [];
  const log = await run(root, 'git', 'log', '--no-merges', '--format=%x00%s', '--name-only', `${last}..HEAD`);
  return log
    .split('\0')
    .slice(1)
    .map((entry) => {
      const [title = '', ...files] = entry.trim().split('\n');
      return { title, files: files.filter((file) => file !== '') };
    });
}

/**
 * Compiles packages in a checkout below `root`, where no former build can leave anything behind. Packages of others are
 * found in node_modules of `root`.
 */
async function build(
  root: string,
  { root: checkout, packages }: Workspace,
  wanted: readonly WorkspacePackage[],
): Promise<void> {
  for (const { name, folder } of packages) {
    const link = join(checkout, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(checkout, folder), link);
    const own = join(root, folder, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(checkout, folder, 'node_modules'));
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await run(checkout, process.execPath, compiler, '-b', ...wanted.map(({ folder }) => folder));
}

function writeSums(into: string, files: readonly string[]): void {
  const sumOf = (file: string) => hash('sha256', readFileSync(join(into, file)));
  const lines = files.toSorted().map((file) => `${sumOf(file)}  ${file}\n`);
  writeFileSync(join(into, 'SHA256SUMS'), lines.join(''));
}

/** What is made of a release. */
export interface ReleaseOptions {
  readonly version: string;
  /** The folder for the packages; what it holds is deleted. */
  readonly into: string;
  /** Whether to commit and tag the release, after everything else has succeeded. */
  readonly tag: boolean;
  /** Is told each step. */
  say(sentence: string): void;
}

/**
 * Makes the release of what HEAD of the repository at `root` holds, in a checkout of its own: versions, changelog,
 * packages, bill of materials and checksums; and tries each package in an empty project. Dependencies must be installed.
 *
 * @throws ReleaseRefused
 */
export async function makeRelease(root: string, { version, into, tag, say }: ReleaseOptions): Promise<void> {
  await refuseUnready(root, version);
  const commits = await commitsSinceRelease(root);
  const date = await run(root, 'git', 'log', '-1', '--format=%cd', '--date=format:%Y-%m-%d');
  const checkout = join(root, 'dist/release-checkout');
  rmSync(checkout, { recursive: true, force: true });
  await run(root, 'git', 'worktree', 'prune');
  await run(root, 'git', 'worktree', 'add', '--detach', checkout, 'HEAD');
  try {
    setVersion(checkout, version);
    const workspace = readWorkspace(checkout);
    const folders = workspace.packages.filter((one) => !isTool(one)).map(({ folder }) => folder);
    const changelog = join(checkout, 'CHANGELOG.md');
    const changes = { version, date, commits, folders };
    writeFileSync(changelog, withRelease(readFileSync(changelog, 'utf8'), changes));
    const offers = readSurface(workspace, readPluginInterface(checkout));
    writeReleasedSurface(checkout, { version, offers });
    const published = publishedPackages(workspace);
    await build(root, workspace, published);
    rmSync(into, { recursive: true, force: true });
    const packed = await packPackages(checkout, published, into);
    const needed = productionPackages(
      root,
      published.map(({ folder }) => folder),
    );
    writeFileSync(join(into, 'sbom.cdx.json'), billOfMaterials(version, needed));
    writeSums(into, ['sbom.cdx.json', ...packed.map(({ tarball }) => basename(tarball))]);
    say(`${into}: ${packed.length} packages, sbom.cdx.json, SHA256SUMS`);
    await using place = await openOutsidePlace(packed);
    for (const one of packed) say(await tryPackage(place, one, join(checkout, one.folder)));
    if (!tag) return say(`Nothing was committed. ${await run(checkout, 'git', 'diff', '--shortstat')}`);
    await run(checkout, 'git', 'commit', '--all', '--message', `Release ${version}`);
    await run(checkout, 'git', 'tag', '--annotate', '--message', `Release ${version}`, `v${version}`);
    await run(root, 'git', 'merge', '--ff-only', `v${version}`);
    say(`v${version} is committed and tagged. git push --follow-tags publishes it`);
  } finally {
    await run(root, 'git', 'worktree', 'remove', '--force', checkout);
  }
}
