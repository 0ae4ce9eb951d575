import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { startWithSettings } from '../start-embedded-postgres.ts';
import { removeKilledRuns } from './killed-runs.ts';

export interface ThrowawayPostgres {
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

// A test run need not survive a crash; otherwise creating databases is mostly waiting for the disk.
const notDurable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '512MB',
};

/**
 * Starts a PostgreSQL for a test run in a temporary folder, and cleans up after killed runs.
 *
 * @param settings - further ones, by name
 */
export async function startThrowawayPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<ThrowawayPostgres> {
  const runs = join(tmpdir(), `waiver-service-tests-${userInfo().uid}`);
  await mkdir(runs, { recursive: true, mode: 0o755 });
  await removeKilledRuns(runs);
  const folder = join(runs, randomUUID().slice(0, 8));
  await mkdir(folder, { mode: 0o755 });
  const server = await startWithSettings(
    { dataDir: folder, onMessage: () => {} },
    { ...notDurable, ...settings },
  );
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
