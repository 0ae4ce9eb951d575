import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startWithSettings } from '../embedded/start-embedded-postgres.ts';
import { migrate } from '../migrations/migrate.ts';
import { removeKilledRuns } from './killed-runs.ts';
import { databaseUrl, serverUrlVariable, templateDatabase } from './test-database.ts';

// Nothing of a test run has to outlive the machine; making a database is mostly waiting for the disk otherwise.
const forgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '2GB' };

/**
 * Starts the one PostgreSQL of a test run, with a migrated database to copy, and says where it is in the environment
 * of the processes that follow. Called by the run's global set-up.
 *
 * @returns what stops it and removes everything of it.
 */
export async function startTestServer(): Promise<() => Promise<void>> {
  const runs = join(tmpdir(), `waiver-service-tests-${userInfo().uid}`);
  await mkdir(runs, { recursive: true, mode: 0o755 });
  await removeKilledRuns(runs);
  const folder = join(runs, randomUUID().slice(0, 8));
  await mkdir(folder, { mode: 0o755 });
  const server = await startWithSettings({ dataDir: folder, onMessage: () => {} }, forgetful);
  const stop = async () => {
    delete process.env[serverUrlVariable];
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.url);
  } catch (error) {
    await stop();
    throw error;
  }
  process.env[serverUrlVariable] = server.url;
  return stop;
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${templateDatabase}`);
  } finally {
    await client.end();
  }
  await migrate(databaseUrl(serverUrl, templateDatabase));
}
