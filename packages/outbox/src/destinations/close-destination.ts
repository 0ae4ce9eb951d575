import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';

/**
 * Closes a destination permanently: from the commit on, nothing is enqueued for it or claimed. Waiting messages are shown
 * as `cancelled` at once, and recorded so in batches by any host (see `createCancelJob`), so that this transaction is
 * short however many there are. Messages being sent end normally and are recorded. Stored responses of its attempts are
 * no longer shown, and are erased with the last batch.
 *
 * Call it last in its transaction, after locking rows that a change of a waiver may lock (the installation, cached
 * bookings): a change locks those before destinations.
 */
export async function closeDestination(transaction: DatabaseTransaction, id: string): Promise<void> {
  // Waits for all changes that are enqueueing for this destination; later ones see it closed.
  await sql`select from destination where id = ${id} for update`.execute(transaction);
  await transaction
    .updateTable('destination')
    .set({
      status: 'closed',
      cancelling: true,
      pausedBy: null,
      nextProbeAt: null,
      heldUntil: null,
      unauthorizedUntil: null,
      nextWriteUnit: null,
    })
    .where('id', '=', id)
    .execute();
}
