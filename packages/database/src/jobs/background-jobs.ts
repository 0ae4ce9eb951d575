import { setTimeout as delay } from 'node:timers/promises';

/** Deferred work, done in short batches. Every host runs every job; the remaining work is in the database. */
export interface BackgroundJob {
  readonly name: string;
  /** Runs one short batch. @returns whether to run the next one without waiting for the poll */
  runBatch(): Promise<boolean>;
}

/** For the operator's log, once per outage; the message begins with the job's name. */
export interface BackgroundJobFailure {
  readonly kind: 'background-job-failed';
  readonly message: string;
}

export interface BackgroundJobs {
  /** Runs the jobs now instead of at the next poll. */
  wake(): void;
  /** Resolves when the running batch has ended. */
  stop(): Promise<void>;
}

const pollIntervalMs = 2_000;
// Leaves the database to others during a long job.
const batchIntervalMs = 20;

/** Runs jobs, a batch of each in turn, until stopped. A job that fails is retried at the next poll. */
export function startBackgroundJobs(
  jobs: readonly BackgroundJob[],
  onNotice: (event: BackgroundJobFailure) => void,
): BackgroundJobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failing = new Set<string>();
  let isWakePending = false;
  let endWait: () => void = () => {};

  async function runOne(job: BackgroundJob): Promise<boolean> {
    try {
      const hasMore = await job.runBatch();
      failing.delete(job.name);
      return hasMore;
    } catch (error) {
      // Once per outage, not at every poll.
      if (!failing.has(job.name)) {
        const reason = error instanceof Error ? error.message : String(error);
        onNotice({ kind: 'background-job-failed', message: `${job.name}: ${reason}` });
      }
      failing.add(job.name);
      return false;
    }
  }

  async function waitForWork(): Promise<void> {
    const waiting = new AbortController();
    endWait = () => waiting.abort();
    if (isWakePending || signal.aborted) endWait();
    await delay(pollIntervalMs, undefined, { signal: waiting.signal, ref: false }).catch(() => {});
    isWakePending = false;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let hasMore = false;
      for (const job of jobs) {
        if (!signal.aborted && (await runOne(job))) hasMore = true;
      }
      if (hasMore) await delay(batchIntervalMs);
      else await waitForWork();
    }
  }

  const running = run();
  return {
    wake() {
      isWakePending = true;
      endWait();
    },
    async stop() {
      stopping.abort();
      endWait();
      await running;
    },
  };
}

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
