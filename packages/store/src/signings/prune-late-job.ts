import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import { periodicJob } from '../background/periodic-job.ts';
import type { Database } from '../database/database.ts';

const maxBatchSize = 500;

/** The job that deletes signings that have waited for staff longer than their pool keeps waivers. */
export function createPruneLateSigningsJob(database: Database, intervalMs: number): BackgroundJob {
  return periodicJob({
    name: 'pruning late signings',
    intervalMs,
    async runBatch() {
      const { numAffectedRows } = await sql`
delete from late_signing l using (
  select d.pool, d.id from late_signing d join pool p on p.id = d.pool
  where d.received_at < now() - p.retention_waivers_days * interval '24 hours'
  order by d.received_at limit ${maxBatchSize}::integer for update of d skip locked) due
where l.pool = due.pool and l.id = due.id`.execute(database);
      return numAffectedRows === BigInt(maxBatchSize);
    },
  });
}
