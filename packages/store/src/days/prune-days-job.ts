import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import { periodicJob } from '../background/periodic-job.ts';
import type { Database } from '../database/database.ts';
import { arrivalRetentionDays } from './arrivals.ts';

const maxBatchSize = 500;

/** The job that deletes old arrivals and readings of days. */
export function createPruneDaysJob(database: Database, intervalMs: number): BackgroundJob {
  const prune = async (table: string, time: string, retentionDays: number) => {
    const { numAffectedRows } = await sql`
delete from ${sql.table(table)} where ctid = any (array(
  select ctid from ${sql.table(table)} where ${sql.ref(time)} < now() - ${retentionDays}::integer * interval '1 day'
  limit ${maxBatchSize}::integer for update skip locked))`.execute(database);
    return numAffectedRows === BigInt(maxBatchSize);
  };
  return periodicJob({
    name: 'pruning arrivals',
    intervalMs,
    async runBatch() {
      return (
        (await prune('arrival', 'arrived_at', arrivalRetentionDays)) || prune('day_reading', 'begun_at', 2)
      );
    },
  });
}
