import { execFile } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { isTool, readWorkspace, type WorkspacePackage } from '../checks/workspace.ts';
import { lockedPackages, type ServedPackage, startRegistry } from './registry.ts';

/** The root of this repository. */
export const repository = join(import.meta.dirname, '../../..');

/** A program's exit status and output. */
export interface Ending {
  readonly status: number;
  readonly stdout: string;
  readonly output: string;
}

const execute = promisify(execFile);
const endedSchema = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });
const bin = join(repository, 'node_modules/.bin');
// Variables that npm and a test runner set for their own processes must not reach child processes.
const ofTheRunner =
  /^(npm_|NX_|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|FORCE_COLOR$|BASE_URL$|DEV$|PROD$|MODE$|SSR$)/i;

function variables(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !ofTheRunner.test(name));
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', CI: '1', ...own };
}

// The repository's programs come first on the path, including its Node.
const withPrograms = { PATH: `${bin}:${process.env.PATH}` };

/** Runs a program in a folder, with its own variables. A status other than 0 is a result, not an error. */
async function runWith(
  own: Readonly<Record<string, string>>,
  folder: string,
  program: string,
  ...words: readonly string[]
): Promise<Ending> {
  try {
    const options = { cwd: folder, env: variables(own), maxBuffer: 2 ** 26 };
    const { stdout, stderr } = await execute(program, words, options);
    return { status: 0, stdout, output: `${stdout}${stderr}` };
  } catch (error) {
    const ended = endedSchema.safeParse(error);
    if (!ended.success) throw error;
    const { code, stdout, stderr } = ended.data;
    return { status: code, stdout, output: `${stdout}${stderr}` };
  }
}

/** Runs a program in a folder, with the repository's programs first on the path. */
export const runIn = (folder: string, program: string, ...words: readonly string[]): Promise<Ending> =>
  runWith(withPrograms, folder, program, ...words);

/** A package of the workspace as `npm publish` would send it. */
export interface PackedPackage extends ServedPackage {
  /** Relative to the root of the workspace: `packages/core`. */
  readonly folder: string;
  readonly tarball: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
}

const packedSchema = z.array(
  z.object({
    name: z.string(),
    version: z.string(),
    filename: z.string(),
    integrity: z.string(),
    files: z.array(z.object({ path: z.string() })),
  }),
);

/** Packs packages of the workspace below `root` into the folder `into`. They must have been built. */
export async function packPackages(
  root: string,
  packages: readonly Pick<WorkspacePackage, 'name' | 'folder'>[],
  into: string,
): Promise<PackedPackage[]> {
  mkdirSync(into, { recursive: true });
  const folders = new Map(packages.map(({ name, folder }) => [name, folder]));
  const workspaces = packages.flatMap(({ folder }) => ['-w', folder]);
  const words = ['pack', '--json', '--pack-destination', into, ...workspaces];
  const { stdout } = await execute('npm', words, { cwd: root, maxBuffer: 2 ** 26 });
  return packedSchema.parse(JSON.parse(stdout)).map(({ name, version, filename, integrity, files }) => {
    const folder = folders.get(name) ?? '';
    const tarball = join(into, filename);
    return {
      name,
      version,
      integrity,
      folder,
      tarball,
      files: files.map(({ path }) => path),
      manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
      openTarball: () => createReadStream(tarball),
    };
  });
}

/** A place without a clone: npm has only a registry with the packed packages, and its own cache. */
export interface OutsidePlace {
  readonly packages: readonly PackedPackage[];
  /** A folder below it, created if missing. */
  folder(name: string): string;
  /** Runs a program in a folder. */
  run(
    folder: string,
    words: readonly [string, ...string[]],
    variables?: Readonly<Record<string, string>>,
  ): Promise<Ending>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const packRepository = (into: string) =>
  packPackages(
    repository,
    readWorkspace(repository).packages.filter((one) => !isTool(one)),
    into,
  );

// Outside the repository, so that looking upward finds nothing of it. Of its programs, only Node.js is on the path.
/** Opens a place with these packages; by default, with all of this repository except tools. */
export async function openOutsidePlace(packed?: readonly PackedPackage[]): Promise<OutsidePlace> {
  const place = mkdtempSync(join(tmpdir(), 'waiver-outside-'));
  const packages = packed ?? (await packRepository(join(place, 'tarballs')));
  const registry = await startRegistry([...packages, ...lockedPackages(repository)]);
  const own = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    npm_config_registry: registry.url,
    npm_config_cache: join(place, 'cache'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_yes: 'true',
  };
  const folder = (name: string) => {
    const path = join(place, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const close = async () => {
    await registry.close();
    rmSync(place, { recursive: true });
  };
  return {
    packages,
    folder,
    run: (cwd, [program, ...words], variables) => runWith({ ...own, ...variables }, cwd, program, ...words),
    close,
    [Symbol.asyncDispose]: close,
  };
}
