import { currentTime } from '@waiver-service/database';
import type { WaiverPlan } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { updateWaivers, type Written } from './write-waivers.ts';

/** Why a record is kept despite retention and erasures. */
export interface Hold {
  readonly reason: string;
  /** Who placed it. */
  readonly by: string;
  readonly at: Date;
}

const columns = sql`hold_reason as reason, held_by as by, held_at as at`;

/** Holds on records. A hold does not change the record, so nothing is sent. */
export function createHolds(database: Database) {
  return {
    async get(pool: string, waiverId: string): Promise<Hold | undefined> {
      const { rows } = await sql<Hold>`
select ${columns} from waiver where pool = ${pool} and id = ${waiverId} and hold_reason is not null`.execute(
        database,
      );
      return rows[0];
    },
    /** Places or replaces a hold. Undefined if the record is unknown or erased. */
    async place(
      pool: string,
      waiverId: string,
      { reason, by }: Pick<Hold, 'reason' | 'by'>,
    ): Promise<Hold | undefined> {
      const { rows } = await sql<Hold>`
update waiver set hold_reason = ${reason}, held_by = ${by}, held_at = ${currentTime}
where pool = ${pool} and id = ${waiverId} and erasure is null returning ${columns}`.execute(database);
      return rows[0];
    },
    /** @returns false if the record is unknown or erased; true even if it had no hold */
    async release(pool: string, waiverId: string): Promise<boolean> {
      const { numUpdatedRows } = await database
        .updateTable('waiver')
        .set({ holdReason: null, heldBy: null, heldAt: null })
        .where('pool', '=', pool)
        .where('id', '=', waiverId)
        .where('erasure', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

/**
 * Removes locked records with what belongs to them; not one with a message, or one that was confirmed by another.
 *
 * @returns how many were removed
 */
export async function removeWaivers(
  transaction: DatabaseTransaction,
  pool: string,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
with gone as (
  delete from waiver w where w.pool = ${pool} and w.id = any (${[...ids]}::text[])
    and not exists (select from delivery d where d.pool = w.pool and d.waiver_id = w.id)
    -- It may have been confirmed since it was found.
    and not exists (select from waiver c where c.pool = w.pool and c.reuse_of = w.id)
  returning w.id),
unlisted as (delete from unmatched_waiver u using gone g where u.waiver_id = g.id),
freed as (delete from waiver_id i using gone g where i.id = g.id)
select count(*)::integer as removed from gone`.execute(transaction);
  return rows[0]?.removed ?? 0;
}

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
