import type { BackgroundJob } from './background-jobs.ts';

/** A job that runs its batches until one finds no more, and rests for an interval then. */
export function periodicJob({
  name,
  intervalMs,
  runBatch,
}: BackgroundJob & { readonly intervalMs: number }): BackgroundJob {
  let dueAt = 0;
  return {
    name,
    async runBatch() {
      if (performance.now() < dueAt) return false;
      const hasMore = await runBatch();
      if (!hasMore) dueAt = performance.now() + intervalMs;
      return hasMore;
    },
  };
}
