import { Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolConfig, types } from 'pg';
import { type ConnectionRenewal, createConnectionRenewal } from './connection-renewal.ts';
import type { Tables } from './database.ts';
import { preparingPool } from './prepared-statements.ts';

const int8 = 20;
const timestamptz = 1184;

/** A `bigint` as a number; a value that a number cannot carry exactly is a fault, never a rounded number. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`the database holds ${text}, past what a number carries`);
  return value;
}

/** A `timestamptz` as a `Date`: milliseconds, which is all that we ever write. */
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
    }
    return types.getTypeParser(type, format);
  },
};

/** How the connections are made. */
export interface ConnectOptions {
  readonly databaseUrl: string;
  readonly maxConnections: number;
  /** Longest time of one statement, milliseconds; 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** Told when an idle connection breaks; the next query makes a new one. */
  readonly onConnectionError: (error: Error) => void;
  /** One of its own where left out. */
  readonly renewal?: ConnectionRenewal;
}

/** What every connection of ours is made with. */
export function connectionSettings(databaseUrl: string) {
  return {
    connectionString: databaseUrl,
    application_name: 'waiver-service',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: parsers,
  } satisfies PoolConfig;
}

/** Opens a pool of connections; nothing is sent before the first query. */
export function connect(options: ConnectOptions): Kysely<Tables> {
  const { renewal = createConnectionRenewal() } = options;
  const pool = new Pool({
    ...connectionSettings(options.databaseUrl),
    max: options.maxConnections,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
  });
  // Without a listener a broken idle connection would end the process.
  pool.on('error', options.onConnectionError);
  // One that breaks in use makes its query reject, which tells whoever asked; and it emits an error besides, which
  // would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparingPool(pool, renewal) }) });
}
