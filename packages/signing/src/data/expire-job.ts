import { type BackgroundJob, periodicJob } from '@waiver-service/database';
import type { Database } from '@waiver-service/store/features';
import { sql } from 'kysely';

const maxBatchSize = 100;

/** The job that erases expired health answers; the rest of the signed record still verifies. */
export function createExpireAnswersJob(database: Database, intervalMs: number): BackgroundJob {
  return periodicJob({
    name: 'erasing health answers',
    intervalMs,
    async runBatch() {
      const { rows } = await sql`
select erase_signing_entries(due.pool, due.signing, null, false, false)
from (
  select e.pool, e.signing from signing_entry e where e.erase_at <= now()
  group by e.pool, e.signing limit ${maxBatchSize}::integer) due`.execute(database);
      return rows.length === maxBatchSize;
    },
  });
}
