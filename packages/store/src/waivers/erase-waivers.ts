import type { WaiverPlan } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';
import { updateWaivers, type Written } from './write-waivers.ts';

/** Marks locked records as those of an erasure: from the commit on they are invisible to everyone. */
export async function markErased(
  transaction: DatabaseTransaction,
  {
    pool,
    erasure,
    ids,
  }: { readonly pool: string; readonly erasure: string; readonly ids: readonly string[] },
): Promise<void> {
  await transaction
    .updateTable('waiver')
    .set({ erasure })
    .where('pool', '=', pool)
    .where(sql<boolean>`id = any (${[...ids]}::text[])`)
    .execute();
}

/**
 * Empties locked records that are marked as those of an erasure, and enqueues the messages that take them back. Deletes
 * their versions and the hashes of their previous addresses.
 *
 * @param plans of the records of one pool, each by `planErasure`
 */
export async function emptyWaivers(
  transaction: DatabaseTransaction,
  pool: string,
  plans: readonly WaiverPlan[],
): Promise<Written> {
  const written = await updateWaivers(transaction, plans, { isErasure: true });
  const changed = [...written.changed];
  if (changed.length < plans.length) throw new Error('a locked waiver was changed by another transaction');
  await sql`
update waiver set erased_at = updated_at, content_hash = '' where pool = ${pool} and id = any (${changed}::text[])`.execute(
    transaction,
  );
  await sql`delete from unmatched_waiver where waiver_id = any (${changed}::text[])`.execute(transaction);
  for (const table of ['formerEmail', 'waiverVersion'] as const) {
    await transaction
      .deleteFrom(table)
      .where('pool', '=', pool)
      .where(sql<boolean>`waiver_id = any (${changed}::text[])`)
      .execute();
  }
  return written;
}

/** Removes the records of an erasure from the list of unmatched ones: they may have been listed while being emptied. */
export async function unlistErased(transaction: DatabaseTransaction, erasure: string): Promise<void> {
  await sql`
delete from unmatched_waiver u using waiver w where w.erasure = ${erasure} and u.waiver_id = w.id`.execute(
    transaction,
  );
}
