import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { z } from 'zod';
import { timedTasks } from '../harness/measuring.ts';
import type { Measured, Row } from '../harness/row.ts';
import { openHostClient, startHostProcess } from '../subjects/host.ts';
import { createWaiverWorld } from '../subjects/waiver-world.ts';

const readySchema = z.object({ url: z.url() });

/** Starts the bare proxy as a separate process in front of a booking system. It ends with this process. */
async function startBookingProxy(origin: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const program = new URL(`../baselines/booking-proxy${extname(import.meta.filename)}`, import.meta.url);
  const child = fork(program, [origin], { execArgv: [] });
  const ended = once(child, 'exit');
  const [ready] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('the bare proxy ended before it listened'))),
  ]);
  return {
    url: readySchema.parse(ready).url,
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

const readsPerRun = 4_000;
const singleReadsPerRun = 200;
const inFlight = 32;
const poolCount = 100;

async function measure(
  read: (index: number) => Promise<unknown>,
  count: number,
  singleReads: number,
): Promise<Measured> {
  const many = await timedTasks(count, inFlight, read);
  const single = await timedTasks(singleReads, 1, read);
  return {
    value: many.rate,
    figures: [many.figures.p50, many.figures.p99, { ...single.figures.p50, name: 'p50 of one at a time' }],
  };
}

/** Reading a booking through the host, checked and normalized, against passing it on unchanged. */
export const readRow: Row = {
  name: 'read',
  subject: 'through the host',
  base: 'bare Fastify + undici proxy',
  unit: '/s',
  async prepare(ground) {
    const world = await createWaiverWorld(ground, { kind: 'guest-update', waivers: 0 });
    // Like a pool's waiver app, with its own token.
    const pools = await Promise.all(
      Array.from({ length: poolCount }, async (_, index) => {
        const id = world.poolOf(index);
        return { id, token: (await world.store.accessTokens.create(id)).token };
      }),
    );
    const host = await startHostProcess({ DATABASE_URL: world.databaseUrl, ROLE: 'api' });
    ground.defer(() => host.stop());
    const proxy = await startBookingProxy((await ground.receivers()).origins[0] ?? '');
    ground.defer(() => proxy.close());
    const readThrough = (url: string) => {
      const client = openHostClient(url);
      ground.defer(() => client.close());
      // Different bookings: callers that request the same one at once share a request.
      return (index: number) => {
        const { id, token } = pools[index % poolCount] ?? {};
        return client.call('GET', `/v1/pools/${id}/bookings/booking-${index}`, { token });
      };
    };
    const readFromHost = readThrough(host.url);
    const readFromProxy = readThrough(proxy.url);
    const count = ground.size(readsPerRun);
    const singleReads = ground.size(singleReadsPerRun);
    return {
      subject: () => measure(readFromHost, count, singleReads),
      base: () => measure(readFromProxy, count, singleReads),
    };
  },
};
