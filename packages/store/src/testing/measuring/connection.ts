import { sql } from 'kysely';
import { connect } from '../../database/connect.ts';
import type { Database } from '../../database/database.ts';

/** Opens a connection pool like the store's, without its statement timeout. */
export function openConnections(databaseUrl: string, maxConnections: number): Database {
  return connect({
    databaseUrl,
    maxConnections,
    statementTimeoutMs: 0,
    // The next query on it fails and reports it.
    onConnectionError: () => {},
  });
}

/** The server's version and durability settings: `PostgreSQL 18.4, fsync on, …`. */
export async function describeServer(databaseUrl: string): Promise<string> {
  const database = openConnections(databaseUrl, 1);
  try {
    const { rows } = await sql<{ version: string; fsync: string; commit: string }>`
select current_setting('server_version') as version, current_setting('fsync') as fsync,
  current_setting('synchronous_commit') as commit`.execute(database);
    return rows
      .map(
        ({ version, fsync, commit }) => `PostgreSQL ${version}, fsync ${fsync}, synchronous_commit ${commit}`,
      )
      .join();
  } finally {
    await database.destroy();
  }
}
