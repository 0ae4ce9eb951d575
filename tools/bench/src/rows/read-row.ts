import { startBookingProxy } from '../baselines/booking-proxy.ts';
import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { runInFlight } from '../in-flight.ts';
import { type BookingClient, openBookingClient } from '../subjects/booking-client.ts';
import { startHostProcess } from '../subjects/host-process.ts';
import { createWaiverWorld } from '../subjects/waiver-world.ts';

const readsPerRun = 4_000;
const singleReadsPerRun = 200;
const inFlight = 32;
const poolCount = 100;

async function read(client: BookingClient, count: number, limit: number) {
  const milliseconds: number[] = [];
  const startedAt = performance.now();
  await runInFlight(count, limit, async (index) => {
    const begunAt = performance.now();
    // Different bookings: callers that request the same one at once share a request.
    await client.read(index);
    milliseconds.push(performance.now() - begunAt);
  });
  return { milliseconds, seconds: (performance.now() - startedAt) / 1000 };
}

async function measure(client: BookingClient, count: number, singleReads: number): Promise<Measured> {
  const many = await read(client, count, inFlight);
  const single = await read(client, singleReads, 1);
  return {
    value: count / many.seconds,
    figures: [
      { name: 'p50', value: percentile(many.milliseconds, 50), unit: 'ms' },
      { name: 'p99', value: percentile(many.milliseconds, 99), unit: 'ms' },
      { name: 'p50 of one at a time', value: percentile(single.milliseconds, 50), unit: 'ms' },
    ],
  };
}

/** Reading a booking through the host, checked and normalized, against passing it on unchanged. */
export const readRow: Row = {
  name: 'read',
  subject: 'through the host',
  base: 'bare Fastify + undici proxy',
  unit: '/s',
  async prepare(ground) {
    const { origins } = await ground.receivers();
    const origin = origins[0] ?? '';
    const world = await createWaiverWorld(ground, {
      kind: 'guest-update',
      waivers: 0,
      originOf: () => origin,
    });
    // Like a pool's waiver app, with its own token.
    const pools = await Promise.all(
      Array.from({ length: poolCount }, async (_, index) => {
        const id = world.poolOf(index);
        return { id, token: (await world.store.accessTokens.create(id)).token };
      }),
    );
    const host = await startHostProcess({ DATABASE_URL: world.databaseUrl, ROLE: 'api' });
    ground.defer(() => host.stop());
    const proxy = await startBookingProxy(origin);
    ground.defer(() => proxy.close());
    const clients = {
      subject: openBookingClient(host.url, pools),
      base: openBookingClient(proxy.url, pools),
    };
    ground.defer(() => Promise.all([clients.subject.close(), clients.base.close()]));
    const count = ground.size(readsPerRun);
    const singleReads = ground.size(singleReadsPerRun);
    const sides = {
      subject: () => measure(clients.subject, count, singleReads),
      base: () => measure(clients.base, count, singleReads),
    };
    await sides.subject();
    await sides.base();
    return sides;
  },
};
