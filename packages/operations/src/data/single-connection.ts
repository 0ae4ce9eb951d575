import { plugins, sessionStatements } from '@waiver-service/database';
import type { Database } from '@waiver-service/store/features';
import { schema } from '@waiver-service/store/features';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, DatabaseError } from 'pg';
import { BackupProblem } from './backup-problem.ts';

/** One connection, for queries and COPY in one transaction. */
export interface SingleConnection {
  readonly client: Client;
  readonly database: Database;
}

// As long as it takes, whatever limits an operator has set for requests.
const prepare = sessionStatements({ statementTimeoutMs: 0, idleInTransactionTimeoutMs: 0 });

/**
 * Opens a connection for `work`, and closes it afterwards. To roll back, let it close: after an interrupted COPY, it
 * accepts no further statement.
 */
export async function onSingleConnection<Result>(
  databaseUrl: string,
  work: (connection: SingleConnection) => Promise<Result>,
): Promise<Result> {
  const client = new Client(schema.connectionSettings(databaseUrl));
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  await client.connect();
  try {
    await client.query(prepare);
    const pooled = Object.assign(client, { release: () => {} });
    const pool = { connect: async () => pooled, end: async () => {}, options: {} };
    return await work({ client, database: new Kysely({ dialect: new PostgresDialect({ pool }), plugins }) });
  } catch (error) {
    const cause = lost ?? error;
    const isShutdown = cause instanceof DatabaseError && cause.code?.startsWith('57P') === true;
    if (!(cause instanceof Error) || (lost === undefined && !isShutdown)) throw error;
    throw new BackupProblem(
      `the connection to the database was lost (${cause.message}): run the command again when the database is there`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
