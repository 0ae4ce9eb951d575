import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedFolder } from './shared-folder.ts';

/** The file in a data folder that says where its database is, when it is not beside it. */
export const locationFile = 'postgres.location';

/** The file beside such a database that says whose it is. */
const ownerFile = 'data-folder';

/** Writes beside a database that lies elsewhere whose it is, so that it can be found when its data folder is gone. */
export async function recordOwner(folder: string, dataFolder: string): Promise<void> {
  await writeFile(join(folder, ownerFile), `${dataFolder}\n`, { mode: 0o600 });
}

const textOf = async (file: string) => (await readFile(file, 'utf8').catch(() => undefined))?.trim();

/**
 * A sentence for each database in the shared folder that no data folder leads to any more. They hold guests' data that
 * somebody may believe removed. None is ever removed by the host: its data folder may only be away for now.
 */
export async function findLeftDatabases(): Promise<string[]> {
  const sentences: string[] = [];
  for (const name of await readdir(sharedFolder).catch(() => [])) {
    const folder = join(sharedFolder, name);
    const dataFolder = await textOf(join(folder, ownerFile));
    if (dataFolder === undefined || (await textOf(join(dataFolder, locationFile))) === folder) continue;
    sentences.push(
      `${folder} still holds the database of the data folder ${dataFolder}, which is not there any more or has a new database: remove it (rm -r ${folder}) when nobody needs its data`,
    );
  }
  return sentences;
}
