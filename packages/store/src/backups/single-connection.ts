import { Kysely, PostgresDialect } from 'kysely';
import { Client } from 'pg';
import { connectionSettings } from '../database/connect.ts';
import type { Database, Tables } from '../database/database.ts';
import { BackupProblem } from './backup-problem.ts';

/** One connection, for queries and for COPY, which are to be in one transaction. */
export interface SingleConnection {
  readonly client: Client;
  readonly database: Database;
}

// Limits that an operator has set for requests are too short here. And the rows of a table are to come in the same order each time
// and as the same text, because their checksums are compared.
const prepare = `
select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout',
    'transaction_timeout');
set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
set bytea_output = 'hex'; set extra_float_digits = 1;
set synchronize_seqscans = off; set max_parallel_workers_per_gather = 0`;

/** Whether the server ended the connection with a word of farewell. */
const isShutdown = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('57P');

/**
 * Works on a connection that is closed at the end. To roll back, let it close: after a COPY that was broken off, it takes
 * no further statement.
 */
export async function onSingleConnection<Result>(
  databaseUrl: string,
  work: (connection: SingleConnection) => Promise<Result>,
): Promise<Result> {
  const client = new Client(connectionSettings(databaseUrl));
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  await client.connect();
  try {
    await client.query(prepare);
    const pooled = Object.assign(client, { release: () => {} });
    const pool = { connect: async () => pooled, end: async () => {}, options: {} };
    return await work({ client, database: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) });
  } catch (error) {
    const cause = lost ?? error;
    if (!(cause instanceof Error) || (lost === undefined && !isShutdown(error))) throw error;
    throw new BackupProblem(
      `the connection to the database was lost (${cause.message}): run the command again when the database is there`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
