import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** The environment variable that tells a test where the run's PostgreSQL is. */
export const serverUrlVariable = 'WAIVER_SERVICE_TEST_DATABASE_URL';

/** The migrated database that each test's own is a copy of. */
export const templateDatabase = 'waiver_service_template';

/** A database of a test's own. */
export interface TestDatabase {
  /** For `openStore`, or for a host's `DATABASE_URL`. */
  readonly url: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/** The URL of a database of a server. */
export function databaseUrl(serverUrl: string, name: string): string {
  return serverUrl.replace(/\/[^/?]*\?/, `/${name}?`);
}

/**
 * A fresh, migrated database on the test run's PostgreSQL.
 *
 * @param options `empty: true` for one on which no migration has run.
 * @throws where the test's project has no PostgreSQL (see `vitest.config.ts`).
 */
export async function createTestDatabase(options: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const serverUrl = process.env[serverUrlVariable];
  if (serverUrl === undefined) throw new Error('this test’s project has no PostgreSQL: see vitest.config.ts');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = options.empty === true ? 'template0' : templateDatabase;
  await execute(serverUrl, `create database ${name} template ${template}`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function execute(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
