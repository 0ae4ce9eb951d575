import { chmod, mkdir } from 'node:fs/promises';

/** Where things go that the server's user cannot reach where they are. */
export const sharedFolder = '/var/lib/waiver-service';

/** Makes a folder in the shared one that any user can enter. The mode is set, not only asked for: a strict umask would shut the server's user out. */
export async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(sharedFolder, 0o755);
  await chmod(folder, 0o755);
}
