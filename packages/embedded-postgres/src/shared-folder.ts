import { chmod, mkdir } from 'node:fs/promises';

/** Holds data and binaries that the server's user cannot access in place. */
export const sharedFolder = '/var/lib/waiver-service';

/** Creates a folder in the shared one that any user can enter, whatever the umask. */
export async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(sharedFolder, 0o755);
  await chmod(folder, 0o755);
}
