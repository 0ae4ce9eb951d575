import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/** The channel that notifies hosts, by pool, of stored responses that were removed or must be followed again. */
export const removedBookingsChannelName = 'waiver_service_removed_bookings';

/** Notifies every host, when the transaction commits, that it must not take a pool's responses for stored. */
export async function announceRemovedBookings(transaction: DatabaseTransaction, pool: string): Promise<void> {
  await sql`select pg_notify(${removedBookingsChannelName}, ${pool})`.execute(transaction);
}
