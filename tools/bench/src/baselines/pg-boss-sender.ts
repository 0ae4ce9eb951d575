import { type Job, type JobResult, PgBoss } from 'pg-boss';
import { openAxiosPoster } from './axios-poster.ts';
import type { Message } from './message.ts';

const queue = 'guest-webhooks';
const insertedAtOnce = 1000;

// The best of 16 to 256 jobs in a batch and 1 to 8 workers, measured with these receivers.
const batchSize = 128;
const workers = 2;

/** A filled queue. */
export interface FilledQueue {
  /** Sends everything; resolves when the last job is recorded as completed. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/**
 * pg-boss and axios, as pg-boss's documentation advises for throughput: batches, several workers, each job settled
 * separately, no waiting between full batches.
 */
export async function fillPgBoss(databaseUrl: string, messages: readonly Message[]): Promise<FilledQueue> {
  const boss = new PgBoss({ connectionString: databaseUrl, application_name: 'bench', max: 10 });
  boss.on('error', (error) => console.error(`pg-boss: ${error.message}`));
  const axios = openAxiosPoster();
  await boss.start();
  await boss.createQueue(queue, {
    retryLimit: 9,
    retryDelay: 5,
    retryBackoff: true,
    deleteAfterSeconds: 86_400,
  });
  for (let from = 0; from < messages.length; from += insertedAtOnce) {
    const batch = messages.slice(from, from + insertedAtOnce);
    await boss.insert(
      queue,
      batch.map((data) => ({ data })),
    );
  }
  let left = messages.length;
  const { promise: allSent, resolve } = Promise.withResolvers<void>();
  async function post({ id, data }: Job<Message>): Promise<JobResult> {
    try {
      await axios.post(data);
    } catch {
      return { id, status: 'failed' };
    }
    left -= 1;
    if (left === 0) resolve();
    return { id, status: 'completed' };
  }
  return {
    async drain() {
      const options = {
        batchSize,
        localConcurrency: workers,
        // The shortest that pg-boss accepts.
        pollingIntervalSeconds: 0.5,
        burstWhenBatchFull: true,
        perJobResults: true,
      } as const;
      await boss.work<Message>(queue, options, (jobs) => Promise.all(jobs.map(post)));
      await allSent;
      await boss.offWork(queue, { wait: true });
    },
    async close() {
      await boss.stop({ graceful: false });
      axios.close();
    },
  };
}
