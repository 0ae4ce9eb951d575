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
