import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database } from '../database/database.ts';

const maxBatchSize = 500;

/** The job that deletes links and returning guests' codes that have been over for long. */
export function createPruneLinksJob(database: Database, intervalMs: number): BackgroundJob {
  let dueAt = 0;
  return {
    name: 'pruning check-in links',
    async runBatch() {
      if (performance.now() < dueAt) return false;
      const { numAffectedRows } = await sql`
delete from check_in_link where id in (
  select id from check_in_link where prune_at < now()
  order by prune_at limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      const codes = await sql`
delete from returning_code where id in (
  select id from returning_code where created_at < now() - interval '2 hours'
  order by created_at limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      if ([numAffectedRows, codes.numAffectedRows].includes(BigInt(maxBatchSize))) return true;
      dueAt = performance.now() + intervalMs;
      return false;
    },
  };
}
