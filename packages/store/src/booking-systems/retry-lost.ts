import { holdUnauthorized } from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/**
 * Has lost authorizations retried at once, after a change that may have fixed them: of one installation, or of all of a
 * booking system's.
 */
export async function retryLost(
  database: Database,
  { destination, bookingSystem }: { readonly destination?: string; readonly bookingSystem?: string },
): Promise<void> {
  const which: RawBuilder<unknown> =
    destination === undefined
      ? sql`i.booking_system = ${bookingSystem}`
      : sql`i.destination_id = ${destination}`;
  await sql`
with tried as (
  update booking_system_session s set retry_at = null from installation i
  where ${which} and s.destination = i.destination_id and s.lost_since is not null
  returning s.destination)
${holdUnauthorized(sql`select t.destination, null::timestamptz from tried t`)}`.execute(database);
}
