import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findBinaries } from './binaries.ts';
import { dataDirectoryIn, ensureCluster, urlOf } from './cluster.ts';
import { lockDataFolder } from './host-lock.ts';
import { locate } from './location.ts';
import { stopOrphan } from './postmaster.ts';
import { reachableBinaries } from './reachable-binaries.ts';
import { chooseServerUser } from './server-user.ts';
import { makeSocketFolder } from './socket-folder.ts';
import { startSupervised } from './supervised-server.ts';

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
