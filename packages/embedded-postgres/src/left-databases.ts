import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedFolder } from './shared-folder.ts';

/** The file in a data folder with the path of its database, if that is elsewhere. */
export const locationFile = 'postgres.location';

/** The file beside such a database with the path of its data folder. */
const ownerFile = 'data-folder';

/** Records a database's data folder beside it, so that it can be identified if the data folder is removed. */
export async function recordOwner(folder: string, dataFolder: string): Promise<void> {
  await writeFile(join(folder, ownerFile), `${dataFolder}\n`, { mode: 0o600 });
}

const textOf = async (file: string) => (await readFile(file, 'utf8').catch(() => undefined))?.trim();

/**
 * A sentence for each database in the shared folder that no data folder points to any more: it has guests' data that an
 * operator may believe deleted. The host never deletes one, since its data folder may only be unmounted.
 */
export async function findLeftDatabases(): Promise<string[]> {
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
