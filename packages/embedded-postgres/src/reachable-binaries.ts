import { chmod, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { canRun, type ServerUser } from './server-user.ts';
import { makeOpenFolder, sharedFolder } from './shared-folder.ts';

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

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
}
