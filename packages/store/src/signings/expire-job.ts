import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database } from '../database/database.ts';

const maxBatchSize = 100;

/** The job that erases health answers when their time is over; the rest of what was signed still verifies. */
export function createExpireAnswersJob(database: Database, intervalMs: number): BackgroundJob {
  let dueAt = 0;
  return {
    name: 'erasing health answers',
    async runBatch() {
      if (performance.now() < dueAt) return false;
      const { rows } = await sql`
select erase_signing_entries(due.pool, due.signing, null, false, false)
from (
  select e.pool, e.signing from signing_entry e where e.erase_at <= now()
  group by e.pool, e.signing limit ${maxBatchSize}::integer) due`.execute(database);
      if (rows.length === maxBatchSize) return true;
      dueAt = performance.now() + intervalMs;
      return false;
    },
  };
}
