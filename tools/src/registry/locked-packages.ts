import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { ServedPackage } from './served-package.ts';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ name: z.string().optional(), version: z.string().optional() }),
  ),
});

const modules = 'node_modules/';

// npm accepts an uncompressed tarball, whatever its top folder is called.
function openTarball(folder: string): Readable {
  const tar = spawn('tar', ['-c', '-C', dirname(folder), '--exclude', 'node_modules', basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return tar.stdout;
}

/**
 * Every package in package-lock.json from outside the workspace, as installed in `node_modules`: packages created
 * outside can be installed without a network, in the versions tested here.
 */
export function lockedPackages(root: string): ServedPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages).flatMap(([path, { name, version, ...manifest }]) => {
    const start = path.lastIndexOf(modules);
    if (start < 0 || version === undefined) return [];
    const installedAs = path.slice(start + modules.length);
    return [
      { name: name ?? installedAs, version, manifest, openTarball: () => openTarball(join(root, path)) },
    ];
  });
}
