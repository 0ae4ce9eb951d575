import { createHash, randomUUID } from 'node:crypto';
import { link, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findLeftDatabases, locationFile, recordOwner } from './left-databases.ts';
import { makeFolder } from './make-folder.ts';
import { canEnter, type ServerUser } from './server-user.ts';
import { makeOpenFolder, sharedFolder } from './shared-folder.ts';

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
