import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import { limitsLockWait } from '../database/batch-across-pools.ts';
import type { Database } from '../database/database.ts';
import { isSearchComplete } from './search-waivers.ts';

const maxBatchSize = 500;
// The other jobs wait meanwhile.
const lockTimeoutMs = 1_000;

/**
 * Adds the next waivers to the search. Their rows are locked, or a change that commits meanwhile could leave a key that
 * the waiver no longer has.
 *
 * @returns whether there were any; not if another host has the next ones.
 */
async function fillBatch(database: Database): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
with position as materialized (
  select p.pool, p.id from ${limitsLockWait(lockTimeoutMs)} cross join waiver_search_progress p
  where not p.done for update of p skip locked),
batch as materialized (
  select w.pool, w.id, w.answers from waiver w
  where (w.pool, w.id) > ((select pool from position), (select id from position))
  order by w.pool, w.id limit ${maxBatchSize}::integer for share of w),
filled as (
  insert into waiver_search (pool, key, id)
  select b.pool, k.key, b.id from batch b cross join lateral unnest(waiver_search_keys(b.answers)) k (key)
  on conflict do nothing),
last as (select pool, id from batch order by pool desc, id desc limit 1)
update waiver_search_progress p
set pool = coalesce((select pool from last), p.pool), id = coalesce((select id from last), p.id),
  done = (select count(*) from batch) < ${maxBatchSize}::integer
from position
returning p.done`.execute(database);
  return rows[0]?.done === false;
}

/** The job that adds waivers from before the migration to the search, in short batches, on one host at a time. */
export function createFillSearchJob(database: Database): BackgroundJob {
  let isComplete = false;
  return {
    name: 'adding former waivers to the search',
    async runBatch() {
      if (isComplete) return false;
      isComplete = await isSearchComplete(database);
      return !isComplete && fillBatch(database);
    },
  };
}
