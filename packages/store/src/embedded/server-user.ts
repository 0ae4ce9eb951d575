import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that the server runs as, where it is not the user that runs the host. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root, so a host that is root runs it as someone else: whoever owns the data already,
 * else the user `postgres`, else a user of that name made now, else `nobody`.
 *
 * @returns undefined where the host is not root.
 */
export async function chooseServerUser(
  dataDirectory: string,
  onMessage: (message: string) => void,
): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const existing = await findUser('postgres');
  if (existing !== undefined) return existing;
  const made = await makeUser();
  if (made !== undefined) {
    onMessage('PostgreSQL cannot run as root: made the system user "postgres" for it');
    return made;
  }
  const nobody = await findUser('nobody');
  if (nobody !== undefined) {
    onMessage('PostgreSQL cannot run as root: it runs as the user "nobody"');
    return nobody;
  }
  throw new Error(
    'PostgreSQL cannot run as root, and no other user could be found or made: start the service as another user, or set DATABASE_URL',
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

async function makeUser(): Promise<ServerUser | undefined> {
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
  } catch {
    return undefined;
  }
  return findUser('postgres');
}

/** Whether the server's user can go into a folder. */
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

/** Gives a folder to the server's user and shuts everyone else out. */
export async function giveTo(user: ServerUser | undefined, folder: string): Promise<void> {
  await chmod(folder, 0o700);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
}
