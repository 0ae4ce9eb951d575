import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from '../binaries.ts';
import { dataDirectoryIn } from '../cluster.ts';
import { startWithSettings } from '../index.ts';
import { DataFolderInUse, lockDataFolder } from '../location.ts';
import { stopOrphan } from '../server.ts';

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

export interface ThrowawayPostgres {
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

// A test run need not survive a crash; otherwise creating databases is mostly waiting for the disk.
const notDurable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '512MB',
};

/**
 * Starts a PostgreSQL for a test run in a temporary folder, and cleans up after killed runs.
 *
 * @param settings - further ones, by name
 */
export async function startThrowawayPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<ThrowawayPostgres> {
  const runs = join(tmpdir(), `waiver-service-tests-${userInfo().uid}`);
  await mkdir(runs, { recursive: true, mode: 0o755 });
  await removeKilledRuns(runs);
  const folder = join(runs, randomUUID().slice(0, 8));
  await mkdir(folder, { mode: 0o755 });
  const server = await startWithSettings(
    { dataDir: folder, onMessage: () => {} },
    { ...notDurable, ...settings },
  );
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
