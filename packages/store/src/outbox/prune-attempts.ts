import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Removes attempts that are older than the retention, one small batch; several hosts may do it at once.
 *
 * @returns how many were removed.
 */
export async function pruneAttempts(database: Database, retentionMs: number, limit: number): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`
with old as (
  select ctid as c from attempt where at < now() - ${retentionMs}::double precision * interval '1 millisecond'
  limit ${limit}::integer for update skip locked),
pruned as (delete from attempt where ctid = any (array (select c from old)) returning 1)
select count(*) as pruned from pruned`.execute(database);
  return rows[0]?.pruned ?? 0;
}
