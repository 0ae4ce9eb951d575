import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'pg';
import { openAxiosPoster } from './axios-poster.ts';
import type { Message } from './message.ts';
import type { FilledQueue } from './pg-boss-sender.ts';
import { inFlight } from './undici-loop.ts';

const task = 'guest-webhook';
const insertedAtOnce = 1000;
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
