import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { findBinaries } from '../src/binaries.ts';
import { dataDirectoryIn } from '../src/cluster.ts';
import { readPostmaster, stopOrphan } from '../src/postmaster.ts';

/** The data directory of a folder's database. */
export const dataDirectoryOf = (folder: string) => dataDirectoryIn(folder, findBinaries().majorVersion);

/** The server's process, from what it wrote about itself. */
export async function serverProcessOf(folder: string): Promise<number> {
  const postmaster = await readPostmaster(dataDirectoryOf(folder));
  if (postmaster === undefined) throw new Error(`no server on ${folder}`);
  return postmaster.processId;
}

/** A folder of the test's own that any user can enter; what runs in it is stopped and it is removed afterwards. */
export async function embeddedFolder(mode = 0o755): Promise<string> {
  const folder = join(tmpdir(), `waiver-service-${Math.random().toString(36).slice(2, 10)}`);
  await mkdir(folder, { mode });
  onTestFinished(async () => {
    await stopOrphan(dataDirectoryOf(folder));
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Runs one statement on a server. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
