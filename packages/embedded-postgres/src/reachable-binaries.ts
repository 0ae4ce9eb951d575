import { chmod, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { canRun, type ServerUser } from './server-user.ts';
import { makeOpenFolder, sharedFolder } from './shared-folder.ts';

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
