import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { canEnter, canRun, type ServerUser } from './server-user.ts';

/** Where things go that the server's user cannot reach where they are. */
const sharedFolder = '/var/lib/waiver-service';

/** The file in the data folder that says where the database is, when it is not beside it. */
const locationFile = 'postgres.location';

/**
 * The folder that holds the database of a data folder: the data folder itself, or, where the server's user cannot
 * enter it (a folder of root's with mode 0700), one made for it elsewhere. It is the same one at each start.
 */
export async function locate(
  dataFolder: string,
  chooseUser: (folder: string) => Promise<ServerUser | undefined>,
  onMessage: (message: string) => void,
): Promise<{ folder: string; user: ServerUser | undefined }> {
  await mkdir(dataFolder, { recursive: true });
  const elsewhere = await readFile(join(dataFolder, locationFile), 'utf8').catch(() => undefined);
  if (elsewhere !== undefined) {
    const folder = elsewhere.trim();
    if ((await stat(folder).catch(() => undefined)) === undefined) {
      throw new Error(
        `the database of ${dataFolder} should be in ${folder}, which is not there: put it back, or remove ${join(dataFolder, locationFile)} to begin with an empty one`,
      );
    }
    return { folder, user: await chooseUser(folder) };
  }
  const user = await chooseUser(dataFolder);
  if (await canEnter(user, dataFolder)) return { folder: dataFolder, user };
  const folder = join(sharedFolder, hashOf(await realpath(dataFolder)));
  await makeOpenFolder(folder);
  await writeFile(join(dataFolder, locationFile), `${folder}\n`);
  onMessage(
    `PostgreSQL does not run as root, and its user cannot enter ${dataFolder}: the database is in ${folder}`,
  );
  return { folder, user };
}

/** The binaries, copied to where the server's user can run them if it cannot run them where they are. */
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
    // Copied beside and renamed, so that a copy cut short is never taken for a whole one.
    const unfinished = `${copy}.${process.pid}`;
    await makeOpenFolder(join(sharedFolder, 'postgres'));
    await cp(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await openToAll(unfinished);
    // Another host may have copied meanwhile and run from it.
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

// Modes are set, not only asked for: a strict umask would shut the server's user out.
async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(sharedFolder, 0o755);
  await chmod(folder, 0o755);
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

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
