import { resolve } from 'node:path';
import { findBinaries } from './binaries.ts';
import { dataDirectoryIn, ensureCluster } from './cluster.ts';
import { lockFor } from './host-lock.ts';
import { locate } from './location.ts';
import { stopOrphan } from './postmaster.ts';
import { reachableBinaries } from './reachable-binaries.ts';
import { startServer } from './server.ts';
import { chooseServerUser } from './server-user.ts';

/** What {@link startEmbeddedPostgres} is told. */
export interface EmbeddedPostgresOptions {
  /** The host's data folder; made when it is not there. */
  readonly dataDir: string;
  /** Told, in a sentence, what a person should know: where the data is when it is not in `dataDir`, and so on. */
  readonly onMessage: (message: string) => void;
}

/** An embedded PostgreSQL that runs. */
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
  const { onMessage } = options;
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
    const server = await startServer({
      binaries: programs,
      folder,
      dataDirectory,
      user,
      settings,
      onMessage,
    });
    const stop = async () => {
      await server.stop();
      unlock();
    };
    let stopping: Promise<void> | undefined;
    return {
      url: server.url,
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
