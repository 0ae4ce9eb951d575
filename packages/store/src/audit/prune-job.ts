import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import { periodicJob } from '../background/periodic-job.ts';
import type { Database } from '../database/database.ts';

const maxBatchSize = 1_000;

/** The job that removes audit entries older than the retention: a round every `intervalMs`, in small batches. */
export function createPruneAuditJob(
  database: Database,
  { retentionMs, intervalMs }: { readonly retentionMs: number; readonly intervalMs: number },
  onPruned: (pruned: number) => void,
): BackgroundJob {
  return periodicJob({
    name: 'pruning the audit log',
    intervalMs,
    async runBatch() {
      const { rows } = await sql<{ pruned: number }>`
select prune_audit_entries(${retentionMs}::double precision * interval '1 millisecond', ${maxBatchSize}::integer)
  as pruned`.execute(database);
      const pruned = rows[0]?.pruned ?? 0;
      onPruned(pruned);
      return pruned === maxBatchSize;
    },
  });
}
