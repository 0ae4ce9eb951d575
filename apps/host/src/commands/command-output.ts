import { makeFolder, reachEmbeddedPostgres, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { dataDirMode } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { databaseProblem, folderProblem } from '../settings/start-problem.ts';

/** The database that a command works on, whether a host uses it or not. */
interface CommandDatabase {
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

export interface CommandOutput {
  /** A line of the result, on standard output. */
  readonly print: (line: string) => void;
  /** Progress and remarks, on standard error. */
  readonly note: (line: string) => void;
}

/** A text with words of a database or a plugin as one line, in which line breaks and escape codes are shown by their code. */
export const printable = (text: string): string =>
  text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/** {@link printable} for each line of a text that the program itself has broken into lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** A size in its largest whole unit. */
export function inBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), units.length - 1);
  return `${(bytes / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[power]}`;
}

/** Runs work that Ctrl-C and SIGTERM abort cleanly, leaving no unfinished file and no running server. */
export async function stopOnSignal<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted)
      throw new Error('stopped: no unfinished work is left, and the command can be run again');
    throw error;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
