import type { BackgroundJob } from './background-jobs.ts';

/** A job that runs batches until nothing is left, then rests for an interval. */
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
