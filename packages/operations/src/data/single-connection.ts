import { randomBytes } from 'node:crypto';
import { plugins, sessionStatements } from '@waiver-service/database';
import { type Database, schema } from '@waiver-service/store/features';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { BackupProblem } from './sealed-file.ts';

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

/** The address with another user, whatever it says of one. */
const withUser = (databaseUrl: string, user: string, password: string) =>
  databaseUrl
    .replace(/(?<=[?&])(?:user|password)=[^&#]*&?/g, '')
    .replace(/^([a-z]+:\/\/)(?:[^@/?#]*@)?/i, `$1${user}:${password}@`);

/** @throws BackupProblem if the server does not let the role in */
async function requireConnection(databaseUrl: string): Promise<void> {
  const client = new Client(schema.connectionSettings(databaseUrl));
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new BackupProblem(
      `a restore is not done as a superuser, and the server does not let the role connect that was created for it (${error instanceof Error ? error.message : error}): restore as a user who is no superuser and owns the database, or let such roles connect (pg_hba.conf)`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Has work done by a role that may only create tables in the database, if the address is a superuser's, as the embedded
 * server's is: a superuser could run programs and read files of the server. What the role has created belongs to the
 * superuser afterwards.
 *
 * @param work - takes the address to connect to: the given one if its user is no superuser
 * @throws BackupProblem if the user is a superuser, and the server lets no other role connect
 */
export async function asRestrictedRole<Result>(
  databaseUrl: string,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const name = `waiver_service_restore_${randomBytes(8).toString('hex')}`;
  const role = escapeIdentifier(name);
  const password = randomBytes(32).toString('hex');
  const isCreated = await onSingleConnection(databaseUrl, async ({ client }) => {
    const { rows } = await client.query<{ database: string; schema: string; superuser: string }>(
      `select current_database() as database, current_schema() as schema, current_setting('is_superuser') as superuser`,
    );
    const [server] = rows;
    if (server?.superuser !== 'on') return false;
    await client.query(
      `begin;
      create role ${role} login nosuperuser password ${escapeLiteral(password)};
      grant create, connect, temporary on database ${escapeIdentifier(server.database)} to ${role};
      grant create, usage on schema ${escapeIdentifier(server.schema)} to ${role};
      commit`,
    );
    return true;
  });
  if (!isCreated) return work(databaseUrl);
  try {
    const restricted = withUser(databaseUrl, name, password);
    await requireConnection(restricted);
    return await work(restricted);
  } finally {
    // A connection that was kept through the whole restore could have been ended meanwhile.
    await onSingleConnection(databaseUrl, ({ client }) =>
      client.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`),
    );
  }
}
