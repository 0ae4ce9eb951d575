import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isTool, readWorkspace } from '../checks/workspace.ts';
import { type PackedPackage, packPackages } from './pack-packages.ts';
import { lockedPackages, startRegistry } from './registry.ts';
import { type Ending, repository, runWith } from './run.ts';

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
