import { Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolConfig, types } from 'pg';
import { type ConnectionRenewal, createConnectionRenewal } from './connection-renewal.ts';
import { type Database, plugins } from './database.ts';
import { preparingPool } from './prepared-statements.ts';
import { sessionStatements } from './session-settings.ts';
import { createStatementWatch } from './statement-watch.ts';

const int8 = 20;
const date = 1082;
const timestamptz = 1184;

/** Throws rather than round a `bigint` that a number cannot represent. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`the database holds ${text}, which a number cannot represent exactly`);
  return value;
}

/** Drops microseconds, which the service does not need. */
function parseTimestamp(text: string): Date {
  const value = new Date(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00'));
  if (Number.isNaN(value.getTime())) throw new RangeError(`the database holds ${text}, which is not a time`);
  return value;
}

const parsers: PoolConfig['types'] = {
  getTypeParser(type, format) {
    if (format !== 'binary') {
      if (type === int8) return parseBigint;
      if (type === timestamptz) return parseTimestamp;
      // A day, YYYY-MM-DD, is no moment.
      if (type === date) return String;
    }
    return types.getTypeParser(type, format);
  },
};

// The table of pending messages is empty most of the time: a plan made then would scan it even when it has a million
// rows. Every statement of ours has a suitable index; without one, a table is scanned all the same. Up to PostgreSQL 17
// such a scan counts as very expensive, and expensive statements are compiled first (JIT): seconds for a statement that
// takes a millisecond. By default, PostgreSQL also replans a prepared statement with short arrays on each run: planning
// a claim of one message takes twice as long as running it.
export const plannerSettings =
  'set enable_seqscan = off; set enable_bitmapscan = off; set plan_cache_mode = force_generic_plan; set jit = off';

const maxIdleInTransactionMs = 30_000;

// The server ends a statement at its own limit; a response this long after will never arrive.
const pastLimitMs = 5_000;

export interface ConnectOptions {
  readonly databaseUrl: string;
  /** That this version knows: the name of its connections shows others which versions are running. */
  readonly newestMigration: string;
  readonly maxConnections: number;
  /** 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a connection; 10 s by default. */
  readonly connectTimeoutMs?: number;
  /** Called when an idle connection breaks; the next query opens a new one. */
  readonly onConnectionError: (error: Error) => void;
  /** Shared with everything else that connects to the database; by default, only this pool's. */
  readonly renewal?: ConnectionRenewal;
}

/** The prefix of our connections' `application_name`. */
const serviceName = 'waiver-service';

/** Settings of pooled and single connections alike. */
export function connectionSettings({
  databaseUrl,
  newestMigration,
  connectTimeoutMs = 10_000,
}: Pick<ConnectOptions, 'databaseUrl' | 'newestMigration' | 'connectTimeoutMs'>) {
  return {
    // A name in the address would override ours, which tells hosts of different versions apart.
    connectionString: databaseUrl.replace(/(?<=[?&])application_name=[^&#]*&?/g, ''),
    application_name: `${serviceName} ${newestMigration}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // Ten probes follow, one a second: idle connections to a machine that has vanished end within 20 seconds.
    keepAliveInitialDelayMillis: 10_000,
    types: parsers,
  } satisfies PoolConfig;
}

/** Opens a connection pool, which connects at the first query. */
export function connect<Tables>(options: ConnectOptions): Database<Tables> {
  const { renewal = createConnectionRenewal(), statementTimeoutMs } = options;
  const settings = connectionSettings(options);
  const statementWatch = createStatementWatch({
    askWith: settings,
    maxStatementMs: statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + pastLimitMs,
    renewal,
  });
  const idleInTransactionTimeoutMs = statementTimeoutMs === 0 ? 0 : maxIdleInTransactionMs;
  const pool = new Pool({
    ...settings,
    max: options.maxConnections,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  });
  // Without a listener, an idle connection that breaks would crash the process.
  pool.on('error', options.onConnectionError);
  // A connection that breaks in use rejects its query, and emits an error besides, which would crash the process.
  const session = sessionStatements({ statementTimeoutMs, idleInTransactionTimeoutMs });
  pool.on('connect', (client) => {
    client.on('error', () => {});
    statementWatch.prepare(client, `${session}; ${plannerSettings}`);
  });
  return new Kysely({
    dialect: new PostgresDialect({ pool: preparingPool(pool, renewal, statementWatch) }),
    plugins,
  });
}
