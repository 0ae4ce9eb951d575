import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { RowSkipped } from '../harness/row.ts';
import { openAxiosPoster } from './axios-poster.ts';
import type { Message } from './message.ts';
import type { FilledQueue } from './pg-boss-sender.ts';
import { inFlight } from './undici-loop.ts';

const addedAtOnce = 1000;

/** The address of Redis, unless `REDIS_URL` overrides it. */
const redisUrl = () => process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';

/** A connection to Redis. Throws RowSkipped if none answers. */
async function connectToRedis(): Promise<Redis> {
  const redis = new Redis(redisUrl(), {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
    return redis;
  } catch {
    redis.disconnect();
    throw new RowSkipped('no Redis answers at REDIS_URL or 127.0.0.1:6379: start one to compare with bullmq');
  }
}

/** Throws RowSkipped if no Redis answers. */
export async function requireRedis(): Promise<void> {
  const redis = await connectToRedis();
  redis.disconnect();
}

/** As bullmq's documentation advises: one worker with concurrency, added in bulk, removed when done. */
export async function fillBullmq(messages: readonly Message[]): Promise<FilledQueue> {
  const connection = await connectToRedis();
  const name = `waiver-service-bench-${randomUUID()}`;
  const queue = new Queue<Message>(name, {
    connection,
    defaultJobOptions: {
      attempts: 10,
      backoff: { type: 'exponential', delay: 5000 },
      removeOnComplete: true,
      removeOnFail: { age: 86_400 },
    },
  });
  const axios = openAxiosPoster();
  for (let from = 0; from < messages.length; from += addedAtOnce) {
    await queue.addBulk(messages.slice(from, from + addedAtOnce).map((data) => ({ name: 'webhook', data })));
  }
  let worker: Worker<Message> | undefined;
  return {
    drain: () =>
      new Promise((resolve, reject) => {
        let left = messages.length;
        worker = new Worker<Message>(name, ({ data }) => axios.post(data), {
          connection,
          concurrency: inFlight,
        });
        worker.on('error', reject);
        worker.on('failed', (_job, error) => reject(error));
        worker.on('completed', () => {
          left -= 1;
          if (left === 0) resolve();
        });
      }),
    async close() {
      await worker?.close();
      await queue.obliterate({ force: true });
      await queue.close();
      connection.disconnect();
      axios.close();
    },
  };
}
