import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that runs the server, if not the host's own. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

// In order of preference. On macOS, the first has an underscore.
const usualUsers = ['postgres', '_postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root, so a root host runs it as the owner of existing data, or else as an existing
 * system user. Creating users is left to the administrator.
 *
 * @returns undefined if the host does not run as root
 */
export async function chooseServerUser(
  dataDirectory: string,
  onMessage: (message: string) => void,
  candidates: readonly string[] = usualUsers,
): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of candidates) {
    const user = await findUser(name);
    if (user === undefined) continue;
    onMessage(`PostgreSQL cannot run as root: it runs as the user "${name}"`);
    return user;
  }
  throw new Error(
    `PostgreSQL cannot run as root, and this machine has no user ${candidates.join(' or ')}: start the service as another user than root, make one of these (useradd --system postgres), or set DATABASE_URL to a PostgreSQL of your own`,
  );
}

async function findUser(name: string): Promise<ServerUser | undefined> {
  try {
    const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number.parseInt(user.stdout, 10), gid: Number.parseInt(group.stdout, 10) };
  } catch {
    return undefined;
  }
}

/** Whether the server's user can enter a folder. */
export async function canEnter(user: ServerUser | undefined, folder: string): Promise<boolean> {
  return succeeds(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder]);
}

/** Whether the server's user can run a program. */
export async function canRun(user: ServerUser | undefined, program: string): Promise<boolean> {
  return succeeds(user, program, ['--version']);
}

async function succeeds(
  user: ServerUser | undefined,
  program: string,
  parameters: string[],
): Promise<boolean> {
  try {
    await run(program, parameters, { ...user, cwd: '/', env: {} });
    return true;
  } catch {
    return false;
  }
}

/** Makes the server's user the owner of a folder, with mode 0700. */
export async function giveTo(user: ServerUser | undefined, folder: string): Promise<void> {
  await chmod(folder, 0o700);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
}

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
