import { setTimeout as wait } from 'node:timers/promises';
import { type JobResult, PgBoss } from 'pg-boss';
import { openAxiosPoster } from './axios-poster.ts';
import type { Message } from './message.ts';

const queue = 'guest-webhooks';
const insertedAtOnce = 1000;

// The best of 16 to 256 jobs in a batch and 1 to 8 workers, measured with these receivers.
const batchSize = 128;
const workers = 2;

/** A queue of pg-boss, filled, and what empties it. */
export interface FilledQueue {
  /** Sends everything; resolves when the last job is recorded as completed. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/**
 * pg-boss and axios, as pg-boss's documents advise for throughput: batches, several workers, each job settled by
 * itself, no waiting between full batches.
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
    await boss.insert(
      queue,
      messages.slice(from, from + insertedAtOnce).map((data) => ({ data })),
    );
  }
  return {
    async drain() {
      let left = messages.length;
      const options = {
        batchSize,
        localConcurrency: workers,
        pollingIntervalSeconds: 0.5,
        burstWhenBatchFull: true,
        perJobResults: true,
      } as const;
      await boss.work<Message>(queue, options, async (jobs) => {
        const results = await Promise.all(
          jobs.map(async ({ id, data }): Promise<JobResult> => {
            try {
              await axios.post(data);
              return { id, status: 'completed' };
            } catch {
              return { id, status: 'failed' };
            }
          }),
        );
        left -= results.filter(({ status }) => status === 'completed').length;
        return results;
      });
      while (left > 0) await wait(2);
      // Waits until the last results are recorded.
      await boss.offWork(queue, { wait: true });
    },
    async close() {
      await boss.stop({ graceful: false });
      axios.close();
    },
  };
}
