import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@waiver-service/embedded-postgres';

/** A PostgreSQL in a temporary folder, with the host's own settings: like a user's, it waits for the disk. */
export async function startDurablePostgres(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waiver-service-bench-'));
  // Started by root, the server runs as another user, who needs access.
  await chmod(dataDir, 0o755);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({ dataDir, onMessage: (message) => console.error(message) });
    return {
      url: server.url,
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
