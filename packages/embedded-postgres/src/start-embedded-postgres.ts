import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findBinaries } from './binaries.ts';
import { databaseUser, dataDirectoryIn, ensureCluster } from './cluster.ts';
import { lockFor } from './host-lock.ts';
import { locate } from './location.ts';
import { stopOrphan } from './postmaster.ts';
import { reachableBinaries } from './reachable-binaries.ts';
import { chooseServerUser } from './server-user.ts';
import { makeSocketFolder } from './socket-folder.ts';
import { startSupervised } from './supervised-server.ts';

/** What {@link startEmbeddedPostgres} is told. */
export interface EmbeddedPostgresOptions {
  /** The host's data folder; made when it is not there. */
  readonly dataDir: string;
  /** Told, in a sentence, what a person should know: where the data is when it is not in `dataDir`, and so on. */
  readonly onMessage: (message: string) => void;
  /** Told where the server ended without having been told to and could not be started again: nothing works any more. */
  readonly onLost?: (error: Error) => void;
}

/** An embedded PostgreSQL that runs; it is started again where it ends without having been told to. */
export interface EmbeddedPostgres {
  /** For `openStore`; holds no password. */
  readonly url: string;
  /** The folder that holds the database. */
  readonly dataDir: string;
  /** Stops the server cleanly; may be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes with the service, on the data folder's own database, which the first start makes.
 * A server that outlived its host is stopped first; a second live host on the same data is refused.
 *
 * @throws DataFolderInUse
 */
export function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return startWithSettings(options, {});
}

/** As {@link startEmbeddedPostgres}, with settings of PostgreSQL added: a test run's server need not survive anything. */
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
  const unlock = lockFor(folder);
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
      url: `postgresql://${databaseUser}@/postgres?host=${encodeURIComponent(socketFolder)}`,
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
