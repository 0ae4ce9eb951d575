import { execFile } from 'node:child_process';
import { createReadStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { WorkspacePackage } from '../checks/workspace.ts';
import type { ServedPackage } from './registry.ts';

/** A package of the workspace as `npm publish` would send it. */
export interface PackedPackage extends ServedPackage {
  /** Relative to the root of the workspace: `packages/core`. */
  readonly folder: string;
  readonly tarball: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
}

const execute = promisify(execFile);
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
