import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/**
 * Closes a destination: what waits for it is cancelled, nothing more is enqueued. A message that is in flight at this
 * moment ends unrecorded. Call it last in its transaction, after rows that a waiver's change may hold (the
 * installation, cached bookings): a change holds those before it looks at destinations.
 */
export async function closeDestination(transaction: DatabaseTransaction, id: string): Promise<void> {
  // Waits for every change that is enqueueing to this destination; those that come later see it closed.
  await sql`select from destination where id = ${id} for update`.execute(transaction);
  await sql`
    update destination set status = 'closed', paused_by = null, next_probe_at = null where id = ${id}`.execute(
    transaction,
  );
  await sql`
    select from lane where destination = ${id} and state <> 'idle' order by destination, ordering_key for update`.execute(
    transaction,
  );
  await sql`update delivery set state = 'cancelled' where destination = ${id} and state = 'waiting' and sequence > 0`.execute(
    transaction,
  );
  await sql`
    update lane set state = 'idle', done_sequence = last_sequence, current = null, retrying = false, manual = false,
      lost_leases = 0, faults = 0, lease_token = null, lease_until = null, leased_at = null
    where destination = ${id} and state <> 'idle'`.execute(transaction);
}
