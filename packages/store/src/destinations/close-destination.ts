import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/**
 * Closes a destination, for good: from the commit on nothing is enqueued for it and nothing of it is claimed. What
 * waits is shown as `cancelled` at once, and is put down so in batches, by any host (see `createCancelJob`): however
 * much it is, this transaction stays short. What is being sent at this moment ends as it ends, on record. What its
 * attempts keep of its answers is shown no more, and is erased with the last batch.
 *
 * Call it last in its transaction, after rows that a waiver's change may hold (the installation, cached bookings): a
 * change holds those before it looks at destinations.
 */
export async function closeDestination(transaction: DatabaseTransaction, id: string): Promise<void> {
  // Waits for every change that is enqueueing to this destination; those that come later see it closed.
  await sql`select from destination where id = ${id} for update`.execute(transaction);
  await sql`
    update destination set status = 'closed', cancelling = true, paused_by = null, next_probe_at = null,
      held_until = null, next_write_unit = null
    where id = ${id}`.execute(transaction);
}
