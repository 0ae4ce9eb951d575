import type { Database } from '../data/tables.ts';
import { makeDue } from '../messages/make-due.ts';

/** Stops sending to a destination, including probes, until it is resumed. A closed destination stays closed. */
export async function pauseDestination(database: Database, id: string): Promise<void> {
  await database
    .updateTable('destination')
    .set({ status: 'paused', pausedBy: 'person', nextProbeAt: null })
    .where('id', '=', id)
    .where('status', '<>', 'closed')
    .execute();
}

/** Ends a pause and a hold, and makes all waiting messages due. A closed destination stays closed. */
export async function resumeDestination(database: Database, id: string): Promise<void> {
  await database
    .updateTable('destination')
    .set({
      status: 'active',
      pausedBy: null,
      nextProbeAt: null,
      heldUntil: null,
      unauthorizedUntil: null,
      failingSince: null,
      consecutiveFailures: 0,
    })
    .where('id', '=', id)
    .where('status', '<>', 'closed')
    .execute();
  await makeDue(database, id);
}
