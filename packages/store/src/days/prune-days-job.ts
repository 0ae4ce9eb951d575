import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database } from '../database/database.ts';
import { arrivalRetentionDays } from './arrivals.ts';

const maxBatchSize = 500;

/** The job that deletes who has arrived on days that are over, and when their bookings were read. */
export function createPruneDaysJob(database: Database, intervalMs: number): BackgroundJob {
  let dueAt = 0;
  const prune = async (table: string, retentionDays: number) => {
    const { numAffectedRows } = await sql`
delete from ${sql.table(table)} where ctid = any (array(
  select ctid from ${sql.table(table)} where day < current_date - ${retentionDays}::integer
  limit ${maxBatchSize}::integer for update skip locked))`.execute(database);
    return numAffectedRows === BigInt(maxBatchSize);
  };
  return {
    name: 'pruning arrivals',
    async runBatch() {
      if (performance.now() < dueAt) return false;
      if (await prune('arrival', arrivalRetentionDays)) return true;
      if (await prune('day_reading', 2)) return true;
      dueAt = performance.now() + intervalMs;
      return false;
    },
  };
}
