import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Removes one small batch of attempts that are older than the retention. Several hosts may do so at once.
 *
 * @returns the number of removed attempts.
 */
export function pruneAttempts(database: Database, retentionMs: number, limit: number): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    // The index by age can only be read by bitmap scans, which are disabled for the store's connections.
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
