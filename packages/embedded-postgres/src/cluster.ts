import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { giveTo, type ServerUser } from './server-user.ts';

const run = promisify(execFile);

/** The database user that owns everything in the embedded server. */
const databaseUser = 'waiver_service';

const prefix = 'postgres-';

/** A server's URL, by its socket folder. */
export const urlOf = (socketFolder: string) =>
  `postgresql://${databaseUser}@/postgres?host=${encodeURIComponent(socketFolder)}`;

/** Whether an entry of the folder is the data directory of any major version. */
export const isDataDirectory = (name: string) => /^postgres-\d+$/.test(name);

/** The data directory of a major version. */
export function dataDirectoryIn(folder: string, majorVersion: number): string {
  return join(folder, `${prefix}${majorVersion}`);
}

/**
 * Creates the data directory on the first start. The server trusts everyone who can reach its socket, which is in a folder
 * with mode 0700. So there is no password that could be read or guessed.
 *
 * @throws if there is only data of another major version: an empty database beside it would look like data loss
 */
export async function ensureCluster(
  folder: string,
  majorVersion: number,
  binaries: string,
  user: ServerUser | undefined,
): Promise<string> {
  const directory = dataDirectoryIn(folder, majorVersion);
  if ((await stat(directory).catch(() => undefined)) !== undefined) return directory;
  const others = (await readdir(folder)).filter(isDataDirectory);
  if (others.length > 0) {
    throw new Error(
      `${folder} holds ${others.join(', ')}, and this program brings PostgreSQL ${majorVersion}: back it up with the version of the waiver service that made it (waiver-service backup), and restore the backup into another DATA_DIR (waiver-service restore)`,
    );
  }
  // Created under a temporary name and renamed, so that an interrupted start never leaves half a database.
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await giveTo(user, unfinished);
  await run(
    join(binaries, 'bin', 'initdb'),
    [
      `--pgdata=${unfinished}`,
      `--username=${databaseUser}`,
      '--auth=trust',
      '--encoding=UTF8',
      // Independent of the machine's C library, whose updates change the sort order and break indexes.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    { ...user, cwd: '/', env: { LC_ALL: 'C' } },
  );
  await rename(unfinished, directory);
  return directory;
}
