import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from '../binaries.ts';
import { dataDirectoryIn } from '../cluster.ts';
import { DataFolderInUse, lockDataFolder } from '../host-lock.ts';
import { stopOrphan } from '../postmaster.ts';

// A run that is still starting has no lock yet.
const beingSetUpMs = 60_000;

/** Stops the servers of killed test runs and removes their folders. Live runs are not touched. */
export async function removeKilledRuns(runs: string, youngestMs = beingSetUpMs): Promise<void> {
  const { majorVersion } = findBinaries();
  for (const name of await readdir(runs)) {
    const folder = join(runs, name);
    const created = await stat(folder).catch(() => undefined);
    if (created === undefined || Date.now() - created.ctimeMs < youngestMs) continue;
    let unlock: () => void;
    try {
      unlock = lockDataFolder(folder);
    } catch (error) {
      if (error instanceof DataFolderInUse) continue;
      throw error;
    }
    try {
      await stopOrphan(dataDirectoryIn(folder, majorVersion));
    } finally {
      unlock();
    }
    await rm(folder, { recursive: true, force: true });
  }
}
