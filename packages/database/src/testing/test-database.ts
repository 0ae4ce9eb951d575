import { randomUUID } from 'node:crypto';
import { Client, DatabaseError, Pool } from 'pg';

/** The environment variable with the URL of the test run's PostgreSQL. */
export const serverUrlVariable = 'WAIVER_SERVICE_TEST_DATABASE_URL';

/** The migrated database that test databases are copied from. */
export const templateDatabase = 'waiver_service_template';

const objectInUse = '55006';

/** A database for a single test or measurement. */
export interface TestDatabase {
  /** For `openStore`, or for a host's `DATABASE_URL`. */
  readonly url: string;
  /** Ends all connections to the database and drops it. */
  drop(): Promise<void>;
}

/** The URL of one of a server's databases. */
export function databaseUrl(serverUrl: string, name: string): string {
  return serverUrl.replace(/\/[^/?]*\?/, `/${name}?`);
}

/**
 * Creates a migrated database on the test run's PostgreSQL.
 *
 * @param options - `empty: true` for one without tables
 * @throws if the test's project has no PostgreSQL (see `vitest.config.ts`)
 */
export async function createTestDatabase(options: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const serverUrl = process.env[serverUrlVariable];
  if (serverUrl === undefined) throw new Error('this test’s project has no PostgreSQL: see vitest.config.ts');
  return createDatabase(serverUrl, options.empty === true ? 'template0' : templateDatabase);
}

/** Creates a database without tables on any server. */
export function createEmptyDatabase(serverUrl: string): Promise<TestDatabase> {
  return createDatabase(serverUrl, 'template0');
}

// A connection to each server, kept open: connecting takes as long as creating a database.
const servers = new Map<string, Pool>();

function onServer(serverUrl: string): Pool {
  const open = servers.get(serverUrl);
  if (open !== undefined) return open;
  const pool = new Pool({
    connectionString: serverUrl,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // The server may be stopped.
  pool.on('error', () => {});
  servers.set(serverUrl, pool);
  return pool;
}

async function createDatabase(serverUrl: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Half as long as through the WAL, with files in memory. Needs PostgreSQL 15; other servers only copy template0.
  const strategy = template === templateDatabase ? 'strategy file_copy' : '';
  await onServer(serverUrl).query(`create database ${name} template ${template} ${strategy}`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => dropDatabase(serverUrl, name),
  };
}

/**
 * A pool's `end` resolves before the server has closed its connections. Dropping the database by force would end them
 * with an error that no listener handles, so the server first gets its five seconds to close them.
 */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const server = onServer(serverUrl);
  try {
    await server.query(`drop database if exists ${name}`);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== objectInUse) throw error;
    await server.query(`drop database if exists ${name} with (force)`);
  }
}

/** Executes a statement on a separate connection. */
export async function execute(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
