import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findBinaries, reachableBinaries } from './binaries.ts';
import {
  chooseServerUser,
  dataDirectoryIn,
  ensureCluster,
  giveTo,
  isDataDirectory,
  type ServerUser,
  urlOf,
} from './cluster.ts';
import { DataFolderInUse, knownFolder, locate, lockDataFolder } from './location.ts';
import { isAlive, isServerOf, readPostmaster, startSupervised, stopOrphan } from './server.ts';

// A Unix socket's path has at most 103 bytes on some systems; the server appends `/.s.PGSQL.5432`.
const maxSocketFolderBytes = 85;

/** Creates the folder for the server's socket: beside the data, or a temporary one if that path is too long. */
async function makeSocketFolder(folder: string, user: ServerUser | undefined): Promise<string> {
  const beside = join(folder, 'socket');
  if (Buffer.byteLength(beside) > maxSocketFolderBytes) {
    const temporary = await mkdtemp(join(tmpdir(), 'waiver-service-'));
    await giveTo(user, temporary);
    return temporary;
  }
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { mode: 0o700 });
  await giveTo(user, beside);
  return beside;
}

export interface EmbeddedPostgresOptions {
  /** The host's data folder; created if missing. */
  readonly dataDir: string;
  /** Called with a sentence for an operator, such as where the data is if not in `dataDir`. */
  readonly onMessage: (message: string) => void;
  /** Called when the server exited unexpectedly and could not be restarted. */
  readonly onLost?: (error: Error) => void;
}

/** A running PostgreSQL, restarted when it exits unexpectedly. */
export interface EmbeddedPostgres {
  /** For any PostgreSQL client on this machine; has no password. */
  readonly url: string;
  /** The folder with the database. */
  readonly dataDir: string;
  /** Shuts down cleanly; idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the bundled PostgreSQL on the data folder's database, which is created on the first start. A server that
 * outlived its host is stopped first.
 *
 * @throws DataFolderInUse if another host uses the database
 */
export function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return startWithSettings(options, {});
}

/** As {@link startEmbeddedPostgres}, with additional PostgreSQL settings. */
export async function startWithSettings(
  options: EmbeddedPostgresOptions,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedPostgres> {
  const { onMessage, onLost = () => {} } = options;
  const binaries = findBinaries();
  const { majorVersion } = binaries;
  const { folder, user } = await locate(
    resolve(options.dataDir),
    (candidate) => chooseServerUser(dataDirectoryIn(candidate, majorVersion), onMessage),
    onMessage,
  );
  const unlock = lockDataFolder(folder);
  try {
    const programs = await reachableBinaries(binaries, user, onMessage);
    const dataDirectory = await ensureCluster(folder, majorVersion, programs, user);
    if (await stopOrphan(dataDirectory)) onMessage('stopped a PostgreSQL that had outlived its host');
    const socketFolder = await makeSocketFolder(folder, user);
    const removeSocketFolder = () => rm(socketFolder, { recursive: true, force: true });
    const logFile = join(folder, 'postgres.log');
    const server = await startSupervised(
      { binaries: programs, dataDirectory, socketFolder, logFile, user, settings },
      { onMessage, onLost },
    ).catch(async (error: unknown) => {
      await removeSocketFolder();
      throw error;
    });
    const stop = async () => {
      await server.stop();
      await removeSocketFolder();
      unlock();
    };
    let stopping: Promise<void> | undefined;
    return {
      url: urlOf(socketFolder),
      dataDir: folder,
      stop: () => {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

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

export { DataFolderInUse, makeFolder } from './location.ts';
