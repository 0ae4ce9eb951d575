import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import { periodicJob } from '../background/periodic-job.ts';
import type { Database } from '../database/database.ts';

/** The job that deletes kiosks revoked over two years ago: signings that waited there have arrived, or never will. */
export function createPruneKiosksJob(database: Database, intervalMs: number): BackgroundJob {
  return periodicJob({
    name: 'pruning kiosks',
    intervalMs,
    async runBatch() {
      await sql`delete from kiosk where revoked_at < now() - interval '2 years'`.execute(database);
      await sql`delete from kiosk_code where expires_at < now()`.execute(database);
      return false;
    },
  });
}
