import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import { periodicJob } from '../background/periodic-job.ts';
import type { Database } from '../database/database.ts';

const maxBatchSize = 500;

/** The job that deletes links and returning guests' codes that ended long ago, and the budgets of past days. */
export function createPruneLinksJob(database: Database, intervalMs: number): BackgroundJob {
  return periodicJob({
    name: 'pruning check-in links',
    intervalMs,
    async runBatch() {
      const { numAffectedRows } = await sql`
delete from check_in_link where id in (
  select id from check_in_link where prune_at < now()
  order by prune_at limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      const codes = await sql`
delete from returning_code where id in (
  select id from returning_code where created_at < now() - interval '2 hours'
  order by created_at limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      // Never many: one for each link and address that was used in two days.
      await sql`delete from guest_budget where day < current_date - 1`.execute(database);
      await sql`delete from mail_budget where day < current_date - 1`.execute(database);
      return [numAffectedRows, codes.numAffectedRows].includes(BigInt(maxBatchSize));
    },
  });
}
