import { setTimeout as delay } from 'node:timers/promises';
import type { StoreEvent } from '../store-context.ts';

/** Work that nobody waits for, done in short batches. Every host runs every job; the database says what is left. */
export interface BackgroundJob {
  readonly name: string;
  /** Does one short batch. @returns whether there may be more to do at once. */
  runBatch(): Promise<boolean>;
}

/** The jobs of this process. */
export interface BackgroundJobs {
  /** Says that there is something to do. */
  wake(): void;
  /** Ends after the batch that runs. */
  stop(): Promise<void>;
}

const pollMs = 2_000;
// Between batches, so that a long job leaves the database to others.
const restMs = 20;

/** Runs jobs, a batch of each in turn, until they are stopped. A job that fails is tried again at the next poll. */
export function startBackgroundJobs(
  jobs: readonly BackgroundJob[],
  onNotice: (event: StoreEvent) => void,
): BackgroundJobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failing = new Set<string>();
  let isWoken = false;
  let endPause: () => void = () => {};

  async function runOne(job: BackgroundJob): Promise<boolean> {
    try {
      const hasMore = await job.runBatch();
      failing.delete(job.name);
      return hasMore;
    } catch (error) {
      // While the database is away, one line says so.
      if (!failing.has(job.name)) {
        const reason = error instanceof Error ? error.message : String(error);
        onNotice({ kind: 'background-job-failed', message: `${job.name}: ${reason}` });
      }
      failing.add(job.name);
      return false;
    }
  }

  async function pause(): Promise<void> {
    const pausing = new AbortController();
    endPause = () => pausing.abort();
    if (isWoken || signal.aborted) endPause();
    await delay(pollMs, undefined, { signal: pausing.signal, ref: false }).catch(() => {});
    isWoken = false;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let hasMore = false;
      for (const job of jobs) {
        if (!signal.aborted && (await runOne(job))) hasMore = true;
      }
      if (hasMore) await delay(restMs);
      else await pause();
    }
  }

  const running = run();
  return {
    wake() {
      isWoken = true;
      endPause();
    },
    async stop() {
      stopping.abort();
      endPause();
      await running;
    },
  };
}
