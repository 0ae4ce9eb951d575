import { type JobResult, PgBoss } from 'pg-boss';
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

/** pg-boss, which posts its jobs with axios. */
export interface PgBossSender {
  /** Resolves when the messages are stored. */
  enqueue(messages: readonly Message[]): Promise<void>;
  /** Starts the workers. `onSent` is called after each message that was accepted. */
  work(onSent?: () => void): Promise<void>;
  /** Resolves when the last results are recorded and all workers have stopped. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/**
 * pg-boss and axios, as pg-boss's documentation advises for throughput: batches, several workers, each job settled
 * separately, no waiting between full batches; or for latency: workers are also notified of each new job.
 */
export async function openPgBossSender(
  databaseUrl: string,
  advised: 'throughput' | 'latency',
): Promise<PgBossSender> {
  const notify = advised === 'latency';
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'bench',
    max: 10,
    useListenNotify: notify,
  });
  boss.on('error', (error) => console.error(`pg-boss: ${error.message}`));
  const axios = openAxiosPoster();
  await boss.start();
  await boss.createQueue(queue, {
    retryLimit: 9,
    retryDelay: 5,
    retryBackoff: true,
    deleteAfterSeconds: 86_400,
    notify,
  });
  return {
    async enqueue(messages) {
      await boss.insert(
        queue,
        messages.map((data) => ({ data })),
      );
    },
    async work(onSent = () => {}) {
      const options = {
        batchSize,
        localConcurrency: workers,
        // The shortest that pg-boss accepts.
        pollingIntervalSeconds: 0.5,
        burstWhenBatchFull: true,
        perJobResults: true,
      } as const;
      await boss.work<Message>(queue, options, (jobs) =>
        Promise.all(
          jobs.map(async ({ id, data }): Promise<JobResult> => {
            try {
              await axios.post(data);
              onSent();
              return { id, status: 'completed' };
            } catch {
              return { id, status: 'failed' };
            }
          }),
        ),
      );
    },
    finish: () => boss.offWork(queue, { wait: true }),
    async close() {
      await boss.stop({ graceful: false });
      axios.close();
    },
  };
}

export async function fillPgBoss(databaseUrl: string, messages: readonly Message[]): Promise<FilledQueue> {
  const sender = await openPgBossSender(databaseUrl, 'throughput');
  for (let from = 0; from < messages.length; from += insertedAtOnce) {
    await sender.enqueue(messages.slice(from, from + insertedAtOnce));
  }
  return {
    async drain() {
      let left = messages.length;
      const { promise: allSent, resolve } = Promise.withResolvers<void>();
      await sender.work(() => {
        left -= 1;
        if (left === 0) resolve();
      });
      await allSent;
      await sender.finish();
    },
    close: () => sender.close(),
  };
}
