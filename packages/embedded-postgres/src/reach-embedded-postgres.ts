import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { dataDirectoryIn, isDataDirectory, urlOf } from './cluster.ts';
import { DataFolderInUse } from './host-lock.ts';
import { knownFolder } from './location.ts';
import { isAlive, isServerOf, readPostmaster } from './postmaster.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';

/** A data folder has no database yet. */
export class NoEmbeddedDatabase extends Error {
  override readonly name = 'NoEmbeddedDatabase';
}

const readyWithinMs = 60_000;

/** The URL of the server that another process runs; undefined if none is running. */
async function urlOfRunning(dataDirectory: string): Promise<string | undefined> {
  const postmaster = await readPostmaster(dataDirectory);
  if (postmaster === undefined || !postmaster.ready) return undefined;
  const { processId, socketFolder } = postmaster;
  return isAlive(processId) && isServerOf(processId, dataDirectory) ? urlOf(socketFolder) : undefined;
}

/**
 * For commands that work on a host's database whether or not the host is running: connects to the running host's
 * server, which `stop` does not end, or else starts the server. Never creates a database.
 *
 * @throws NoEmbeddedDatabase
 */
export async function reachEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const folder = await knownFolder(dataDir);
  const dataDirectory = dataDirectoryIn(folder, findBinaries().majorVersion);
  // The start refuses data of another major version, with advice.
  const entries = await readdir(folder).catch(() => []);
  if (!entries.some(isDataDirectory))
    throw new NoEmbeddedDatabase(`there is no database in ${dataDir}: is DATA_DIR right?`);
  const end = performance.now() + readyWithinMs;
  for (;;) {
    try {
      return await startEmbeddedPostgres(options);
    } catch (error) {
      if (!(error instanceof DataFolderInUse)) throw error;
      const url = await urlOfRunning(dataDirectory);
      if (url !== undefined) return { url, dataDir: folder, stop: async () => {} };
      // The host is starting its server, or stopping it.
      if (performance.now() > end) throw error;
      await wait(100);
    }
  }
}
