import { reachEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import type { HostSettings } from '../settings/host-settings.ts';
import { databaseProblem, folderProblem } from '../settings/start-problem.ts';

/** The database that a command works on, whether a host uses it or not. */
export interface CommandDatabase {
  readonly url: string;
  /** The folder of the embedded one. */
  readonly folder: string | undefined;
  stop(): Promise<void>;
}

/** @throws what keeps a host from starting, and NoEmbeddedDatabase */
export async function openCommandDatabase(
  { databaseUrl, dataDir }: HostSettings,
  onMessage: (message: string) => void,
): Promise<CommandDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, folder: undefined, stop: async () => {} };
  try {
    const { url, dataDir: folder, stop } = await reachEmbeddedPostgres({ dataDir, onMessage });
    return { url, folder, stop };
  } catch (error) {
    throw folderProblem(error, dataDir);
  }
}

/** Runs a command's work, whose errors name the setting that is to blame. */
export async function withDatabase<Result>(
  settings: HostSettings,
  onMessage: (message: string) => void,
  work: (database: CommandDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await openCommandDatabase(settings, onMessage);
  try {
    return await work(database);
  } catch (error) {
    throw settings.databaseUrl === undefined ? error : databaseProblem(error);
  } finally {
    await database.stop();
  }
}
