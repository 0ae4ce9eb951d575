import { makeFolder, reachEmbeddedPostgres, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { dataDirMode } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { databaseProblem, folderProblem } from '../settings/start-problem.ts';

/** The database that a command works on, whether a host uses it or not. */
export interface CommandDatabase {
  readonly url: string;
  /** The folder of the embedded one. */
  readonly folder: string | undefined;
  stop(): Promise<void>;
}

type Work<Result> = (database: CommandDatabase) => Promise<Result>;
type Reach = typeof reachEmbeddedPostgres;

async function openDatabase(
  { databaseUrl, dataDir }: HostSettings,
  onMessage: (message: string) => void,
  reach: Reach,
): Promise<CommandDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, folder: undefined, stop: async () => {} };
  try {
    const { url, dataDir: folder, stop } = await reach({ dataDir, onMessage });
    return { url, folder, stop };
  } catch (error) {
    throw folderProblem(error, dataDir);
  }
}

async function work<Result>(
  settings: HostSettings,
  onMessage: (message: string) => void,
  reach: Reach,
  use: Work<Result>,
): Promise<Result> {
  const database = await openDatabase(settings, onMessage, reach);
  try {
    return await use(database);
  } catch (error) {
    throw settings.databaseUrl === undefined ? error : databaseProblem(error);
  } finally {
    await database.stop();
  }
}

/**
 * Works on the database of the host, whether the host runs or not.
 *
 * @throws SettingsError, StartProblem, NoEmbeddedDatabase
 */
export const withDatabase = <Result>(
  settings: HostSettings,
  onMessage: (message: string) => void,
  use: Work<Result>,
): Promise<Result> => work(settings, onMessage, reachEmbeddedPostgres, use);

/** As {@link withDatabase}, but creates the embedded database, and does not share it. */
export const withNewDatabase = <Result>(
  settings: HostSettings,
  onMessage: (message: string) => void,
  use: Work<Result>,
): Promise<Result> =>
  work(
    settings,
    onMessage,
    (options) => {
      makeFolder(options.dataDir, dataDirMode());
      return startEmbeddedPostgres(options);
    },
    use,
  );
