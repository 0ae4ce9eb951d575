import { databaseUrl, execute, serverUrlVariable, templateDatabase } from '@waiver-service/database/testing';
import { startThrowawayPostgres } from '@waiver-service/embedded-postgres/testing';
import { schemaOf } from '../database/schema.ts';
import type { FeatureData } from '../store-context.ts';

/**
 * Starts the PostgreSQL of a test run, with a migrated database to copy, and sets the environment variable through which
 * test processes find it. Called by the run's global setup.
 *
 * @param features - all of the service
 * @returns stops the server and deletes its data
 */
export async function startTestServer(features: readonly FeatureData[]): Promise<() => Promise<void>> {
  const server = await startThrowawayPostgres();
  try {
    await execute(server.url, `create database ${templateDatabase}`);
    await schemaOf(features).migrate(databaseUrl(server.url, templateDatabase));
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
