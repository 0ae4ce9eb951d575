import { startThrowawayPostgres } from '@waiver-service/embedded-postgres/testing';
import { Client } from 'pg';
import { migrate } from '../migrations/migrate.ts';
import { databaseUrl, serverUrlVariable, templateDatabase } from './test-database.ts';

/**
 * Starts the one PostgreSQL of a test run, with a migrated database to copy, and says where it is in the environment
 * of the processes that follow. Called by the run's global set-up.
 *
 * @returns what stops it and removes everything of it.
 */
export async function startTestServer(): Promise<() => Promise<void>> {
  const server = await startThrowawayPostgres();
  try {
    await makeTemplate(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  process.env[serverUrlVariable] = server.url;
  return async () => {
    delete process.env[serverUrlVariable];
    await server.stop();
  };
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
