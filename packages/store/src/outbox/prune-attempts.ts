import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Removes attempts that are older than the retention, one small batch; several hosts may do it at once.
 *
 * @returns how many were removed.
 */
export function pruneAttempts(database: Database, retentionMs: number, limit: number): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    // The index by age is read by bitmaps alone, which our connections do without.
    await sql`set local enable_bitmapscan = on`.execute(transaction);
    const { rows } = await sql<{ pruned: number }>`
with old as materialized (
  select pool, delivery, at from attempt
  where at < now() - ${retentionMs}::double precision * interval '1 millisecond'
  limit ${limit}::integer for update skip locked),
pruned as (
  delete from attempt a using (select distinct delivery, at from old) o
  where a.delivery = o.delivery and a.at = o.at returning 1)
select count(*) as pruned from pruned`.execute(transaction);
    return rows[0]?.pruned ?? 0;
  });
}
