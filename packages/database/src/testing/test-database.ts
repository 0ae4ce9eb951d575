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

type Query = (statement: string) => Promise<readonly unknown[]>;

/** Resolves when at least so many other sessions of this database wait for a lock. */
export async function untilBlocked(query: Query, sessions = 1): Promise<void> {
  for (;;) {
    // A transaction sees the sessions as they were when it first looked.
    await query('select pg_stat_clear_snapshot()');
    const blocked = await query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (blocked.length >= sessions) return;
  }
}

/** Settings of a database that would change how statements are read, what they do or how values are written. */
export const adverseSettings = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'iso_8601',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  quote_all_identifiers: 'on',
  transform_null_equals: 'on',
  row_security: 'off',
  gin_fuzzy_search_limit: '1',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  'plpgsql.extra_errors': 'all',
  exit_on_error: 'on',
  statement_timeout: '1s',
  lock_timeout: '10ms',
  idle_in_transaction_session_timeout: '1s',
  idle_session_timeout: '1s',
  transaction_timeout: '1s',
  session_replication_role: 'replica',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
  enable_nestloop: 'off',
  enable_sort: 'off',
} as const satisfies Readonly<Record<string, string>>;

/** Sets settings of a database, for connections opened from now on. The server must be PostgreSQL 17 or newer for all. */
export async function setForDatabase(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const statements = Object.entries(settings).map(
    ([name, value]) =>
      `execute format('alter database %I set ${name} = %L', current_database(), '${value}');`,
  );
  await execute(databaseUrl, `do $$ begin ${statements.join(' ')} end $$`);
}
