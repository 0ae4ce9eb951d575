import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, link, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canEnter, type ServerUser } from './cluster.ts';

/** Holds data and binaries that the server's user cannot access in place. */
export const sharedFolder = '/var/lib/waiver-service';

/** Creates a folder in the shared one that any user can enter, whatever the umask. */
export async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(sharedFolder, 0o755);
  await chmod(folder, 0o755);
}

/** The file in a data folder with the path of its database, if that is elsewhere. */
const locationFile = 'postgres.location';

/** The file beside such a database with the path of its data folder. */
const ownerFile = 'data-folder';

/** Records a database's data folder beside it, so that it can be identified if the data folder is removed. */
async function recordOwner(folder: string, dataFolder: string): Promise<void> {
  await writeFile(join(folder, ownerFile), `${dataFolder}\n`, { mode: 0o600 });
}

const textOf = async (file: string) => (await readFile(file, 'utf8').catch(() => undefined))?.trim();

/**
 * A sentence for each database in the shared folder that no data folder points to any more: it has guests' data that an
 * operator may believe deleted. The host never deletes one, since its data folder may only be unmounted.
 */
async function findLeftDatabases(): Promise<string[]> {
  const sentences: string[] = [];
  for (const name of await readdir(sharedFolder).catch(() => [])) {
    const folder = join(sharedFolder, name);
    const dataFolder = await textOf(join(folder, ownerFile));
    if (dataFolder === undefined || (await textOf(join(dataFolder, locationFile))) === folder) continue;
    sentences.push(
      `${folder} still holds the database of the data folder ${dataFolder}, which is not there any more or has a new database: remove it (rm -r ${folder}) when its data is no longer needed`,
    );
  }
  return sentences;
}

/**
 * Creates a folder and its missing parents. Node's `recursive` option never returns if a file system reports ENOENT for
 * a folder it refuses, as /proc does.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      // Another host that is starting may have created it in the meantime.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** Another host uses the database. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

const sqliteBusy = 5;

/**
 * Locks a data folder, so that only one host uses its database.
 *
 * A kernel lock on a file is released however the process ends, and cannot be confused by a reused process id. SQLite is
 * the only way to get one with Node's standard library; the file is empty.
 *
 * @returns releases the lock
 * @throws DataFolderInUse
 */
export function lockDataFolder(folder: string): () => void {
  const processFile = join(folder, 'host.pid');
  const lockFile = join(folder, 'host.lock');
  makeLockFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataFolderInUse(
      `another waiver service${owner(processFile)} uses the embedded database in ${folder}: stop it, give this one another DATA_DIR, or let both use one PostgreSQL through DATABASE_URL`,
    );
  }
  writeFileSync(processFile, `${process.pid}\n`);
  return () => lock.close();
}

// Created with mode 0600 before SQLite opens it, so that no other user can lock it. An existing file is not opened:
// closing it would release all locks that this process holds on it.
function makeLockFile(lockFile: string): void {
  try {
    closeSync(openSync(lockFile, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function owner(processFile: string): string {
  try {
    return ` (process ${readFileSync(processFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

/**
 * The folder with the database of a data folder: the data folder itself or, if the server's user cannot enter it
 * (root's folder with mode 0700), one created elsewhere. It is the same on each start.
 */
export async function locate(
  dataFolder: string,
  chooseUser: (folder: string) => Promise<ServerUser | undefined>,
  onMessage: (message: string) => void,
): Promise<{ folder: string; user: ServerUser | undefined }> {
  makeFolder(dataFolder);
  const found = await findFolder(dataFolder, chooseUser);
  if (found.folder !== dataFolder) {
    await recordOwner(found.folder, dataFolder);
    onMessage(
      `PostgreSQL does not run as root, and its user cannot enter ${dataFolder}: the database is in ${found.folder}. To remove one, remove the other too`,
    );
  }
  if (process.getuid?.() === 0) for (const sentence of await findLeftDatabases()) onMessage(sentence);
  return found;
}

async function findFolder(
  dataFolder: string,
  chooseUser: (folder: string) => Promise<ServerUser | undefined>,
): Promise<{ folder: string; user: ServerUser | undefined }> {
  const known = await readLocation(dataFolder);
  if (known !== undefined) return { folder: known, user: await chooseUser(known) };
  const user = await chooseUser(dataFolder);
  if (await canEnter(user, dataFolder)) return { folder: dataFolder, user };
  return { folder: await makeElsewhere(dataFolder), user };
}

/** The folder with the database of a data folder that has been used before. Creates nothing. */
export async function knownFolder(dataFolder: string): Promise<string> {
  return (await readLocation(dataFolder)) ?? dataFolder;
}

async function readLocation(dataFolder: string): Promise<string | undefined> {
  const file = join(dataFolder, locationFile);
  const folder = (await readFile(file, 'utf8').catch(() => undefined))?.trim();
  if (folder === undefined || (await stat(folder).catch(() => undefined)) !== undefined) return folder;
  throw new Error(
    `the database of ${dataFolder} should be in ${folder}, which is not there: put it back, or remove ${file} to begin with an empty one`,
  );
}

// A removed data folder means that an empty database is wanted, and the previous one's keys are gone: so that one is
// neither reused nor deleted.
async function makeElsewhere(dataFolder: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(dataFolder))
    .digest('hex')
    .slice(0, 16);
  const formers = (await readdir(sharedFolder).catch(() => [])).filter((entry) => entry.startsWith(name));
  const folder = join(sharedFolder, formers.length === 0 ? name : `${name}-${randomUUID().slice(0, 8)}`);
  // Linking is atomic, so two hosts that start at once agree on one folder.
  const draft = join(dataFolder, `${locationFile}.${randomUUID()}`);
  await writeFile(draft, `${folder}\n`);
  await makeOpenFolder(folder);
  try {
    await link(draft, join(dataFolder, locationFile));
  } catch (error) {
    const agreed = await readLocation(dataFolder);
    if (agreed === undefined) throw error;
    if (agreed !== folder) await rm(folder, { recursive: true });
    return agreed;
  } finally {
    await rm(draft);
  }
  return folder;
}
