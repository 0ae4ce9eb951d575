import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
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
