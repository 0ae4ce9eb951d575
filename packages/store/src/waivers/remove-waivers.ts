import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';

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
