import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveTo, type ServerUser } from './server-user.ts';

// A Unix socket's path has at most 103 bytes on some systems; the server appends `/.s.PGSQL.5432`.
const maxSocketFolderBytes = 85;

/** Creates the folder for the server's socket: beside the data, or a temporary one if that path is too long. */
export async function makeSocketFolder(folder: string, user: ServerUser | undefined): Promise<string> {
  const beside = join(folder, 'socket');
  if (Buffer.byteLength(beside) > maxSocketFolderBytes) {
    const temporary = await mkdtemp(join(tmpdir(), 'waiver-service-'));
    await giveTo(user, temporary);
    return temporary;
  }
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { mode: 0o700 });
  await giveTo(user, beside);
  return beside;
}
