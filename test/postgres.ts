import { features } from '@waiver-service/host/features';
import { startTestServer } from '@waiver-service/store/testing';

/**
 * Global set-up of the projects that need PostgreSQL: one server for the whole run, started for the project that
 * comes first and stopped when all tests are over. Its address goes to the tests through the environment.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.WAIVER_SERVICE_TEST_DATABASE_URL !== undefined) return undefined;
  return startTestServer(features);
}
