import { sql } from 'kysely';
import { connect } from '../../database/connect.ts';
import type { Database } from '../../database/database.ts';

/** A pool of connections, made as the store makes its own but for the limit on a statement's time. */
export function openConnections(databaseUrl: string, maxConnections: number): Database {
  return connect({
    databaseUrl,
    maxConnections,
    statementTimeoutMs: 0,
    // A query that needs it fails and tells.
    onConnectionError: () => {},
  });
}

/** Which PostgreSQL a database is on, and whether it waits for the disk: `PostgreSQL 18.4, fsync on, …`. */
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

/** Gathers the statistics that autovacuum would have gathered by and by, so that two runs start alike. */
export async function gatherStatistics(databaseUrl: string): Promise<void> {
  const database = openConnections(databaseUrl, 1);
  try {
    await sql`vacuum (analyze)`.execute(database);
  } finally {
    await database.destroy();
  }
}
