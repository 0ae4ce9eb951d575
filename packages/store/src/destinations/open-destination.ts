import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DatabaseTransaction } from '../database/database.ts';
import type { DestinationKind } from '../database/tables-outbox.ts';

/** Makes an active destination and returns its id. */
export async function openDestination(
  transaction: DatabaseTransaction,
  { pool, kind }: { readonly pool: string; readonly kind: DestinationKind },
): Promise<string> {
  const id = uuidv7();
  await transaction.insertInto('destination').values({ id, pool, kind, status: 'active' }).execute();
  return id;
}

/**
 * Makes a closed destination active again, with no memory of former failures. What was cancelled stays cancelled.
 * One that is open is left as it is.
 */
export async function reopenDestination(transaction: DatabaseTransaction, id: string): Promise<void> {
  await sql`
    update destination set status = 'active', paused_by = null, next_probe_at = null, held_until = null,
      opening = opening + 1, failing_since = null, consecutive_failures = 0
    where id = ${id} and status = 'closed'`.execute(transaction);
}

/** Makes the probe of a destination that failures have paused due: what kept it from working may have been mended. */
export async function probeSoon(transaction: DatabaseTransaction, id: string): Promise<void> {
  await sql`
    update destination set next_probe_at = now() where id = ${id} and paused_by = 'failures'`.execute(
    transaction,
  );
}
