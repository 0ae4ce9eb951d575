import { Agent } from 'node:http';
import axios from 'axios';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'pg';
import { type Job, type JobResult, PgBoss } from 'pg-boss';
import { inFlight, type Message, messageHeaders } from './bare-senders.ts';

/** Posts with axios as its documentation shows, with persistent connections. */
interface AxiosPoster {
  post(message: Message): Promise<void>;
  close(): void;
}

/** Opens plain axios, with its default Node adapter. */
function openAxiosPoster(): AxiosPoster {
  const httpAgent = new Agent({ keepAlive: true });
  const client = axios.create({ httpAgent, headers: messageHeaders, timeout: 10_000, maxRedirects: 0 });
  return {
    async post({ url, body }) {
      await client.post(url, body);
    },
    close: () => httpAgent.destroy(),
  };
}

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

const task = 'guest-webhook';
// Its documentation's configuration for throughput, and as many concurrent jobs as the service has messages in flight.
const localQueueSize = 500;
const batchDelayMs = 0;

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [task]: Message;
    }
  }
}

const silent = new Logger(() => () => {});

/**
 * graphile-worker and axios, as its documentation advises for throughput: jobs fetched in batches into its local queue,
 * and completions and failures written in batches.
 */
export async function fillGraphileWorker(
  databaseUrl: string,
  messages: readonly Message[],
): Promise<FilledQueue> {
  const preset: GraphileConfig.Preset = {
    worker: {
      concurrentJobs: inFlight,
      localQueue: { size: localQueueSize },
      completeJobBatchDelay: batchDelayMs,
      failJobBatchDelay: batchDelayMs,
    },
  };
  const axios = openAxiosPoster();
  // Its own pool would still be closing when the database is dropped.
  const pgPool = new Pool({ connectionString: databaseUrl, max: 10 });
  const utils = await makeWorkerUtils({ preset, pgPool, logger: silent });
  await utils.migrate();
  for (let from = 0; from < messages.length; from += insertedAtOnce) {
    const batch = messages.slice(from, from + insertedAtOnce);
    await utils.addJobs(batch.map((payload) => ({ identifier: task, payload, maxAttempts: 10 })));
  }
  return {
    async drain() {
      let left = messages.length;
      const { promise: allSent, resolve } = Promise.withResolvers<void>();
      const runner = await run({
        preset,
        pgPool,
        logger: silent,
        noHandleSignals: true,
        parsedCronItems: [],
        taskList: {
          async [task](payload) {
            await axios.post(payload);
            left -= 1;
            if (left === 0) resolve();
          },
        },
      });
      await allSent;
      // Waits until the last completions are recorded.
      await runner.stop();
    },
    async close() {
      await utils.release();
      await pgPool.end();
      axios.close();
    },
  };
}
