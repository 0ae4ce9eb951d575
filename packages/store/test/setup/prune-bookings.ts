import { pruneBookings } from '../../src/bookings/prune-bookings.ts';
import { connect } from '../../src/database/connect.ts';

/** Runs the pruning of bookings once, over a separate connection. */
export async function pruneBookingsOf(databaseUrl: string): Promise<void> {
  const database = connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  await pruneBookings(database);
  await database.destroy();
}
