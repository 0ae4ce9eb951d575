import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database } from '../database/database.ts';

const maxBatchSize = 1_000;

/** The job that removes entries of the audit log that are older than the retention, a round every `intervalMs`, in small batches. */
export function createPruneAuditJob(
  database: Database,
  { retentionMs, intervalMs }: { readonly retentionMs: number; readonly intervalMs: number },
  onPruned: (pruned: number) => void,
): BackgroundJob {
  let dueAt = 0;
  return {
    name: 'pruning the audit log',
    async runBatch() {
      if (performance.now() < dueAt) return false;
      const { rows } = await sql<{ pruned: number }>`
select prune_audit_entries(${retentionMs}::double precision * interval '1 millisecond', ${maxBatchSize}::integer)
  as pruned`.execute(database);
      const pruned = rows[0]?.pruned ?? 0;
      onPruned(pruned);
      const hasMore = pruned === maxBatchSize;
      if (!hasMore) dueAt = performance.now() + intervalMs;
      return hasMore;
    },
  };
}
