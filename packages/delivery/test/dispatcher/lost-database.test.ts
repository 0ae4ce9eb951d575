import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createOutbound } from '@waiver-service/outbound';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatcher, type Sender } from '../../src/index.ts';
import { dispatch, install, openService, sendersWith, startReceiver, waiver } from '../setup/service.ts';

const lease = { leaseMs: 3_000, leaseMarginMs: 600 };

test('a host whose database hangs stops sending before another takes over, and the receiver sees the right order', async () => {
  const service = await openService();
  const way = await stoppableDatabase(service.databaseUrl);
  const cutOff = await service.again({ databaseUrl: way.url });
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], timeoutMs: 50_000 });
  onTestFinished(() => outbound.close());

  // Reads a booking before writing it, as plugins do; the response to the first host's read is late.
  const firstRead = Promise.withResolvers<void>();
  let firstEndedAt = Number.NaN;
  const receiver = await startReceiver(async ({ path }, response) => {
    if (path === '/first/read') {
      response.on('close', () => {
        firstEndedAt = performance.now();
      });
      await firstRead.promise;
    }
    response.end('{"success":true}');
  });
  const senderOf =
    (host: string): Sender =>
    async ({ body }, signal) => {
      const started = performance.now();
      const call = (step: string) =>
        outbound.endpoint({ url: `${receiver.url}/${host}/${step}`, headers: {} }).post({ body, signal });
      await call('read');
      await call('write');
      return { outcome: 'accepted', durationMs: performance.now() - started };
    };
  const senders = (host: string) => sendersWith({ guestUpdate: senderOf(host) });
  const pageOf = ({ body }: { readonly body: string }) => JSON.parse(body).waiver.page;
  await install(service.store);
  await service.store.installations.share({
    pool: 'p1',
    bookingSystem: 'standard',
    shareProperties: ['page'],
    allowedBy: 'a test',
  });
  const { events } = dispatch({ ...service, store: cutOff }, { senders: senders('first'), ...lease });
  // Otherwise, its stop would wait for the database.
  onTestFinished(() => way.goOn());
  await service.store.waivers.create(
    waiver({ id: 'w1', bookingSystem: 'standard', bookingId: 'b1', answers: { page: 1 } }),
  );
  await receiver.count(1);
  way.stop();
  await service.store.waivers.update('p1', 'w1', { answers: { page: 2 } });
  dispatch(service, { senders: senders('second'), ...lease });
  const all = await receiver.count(5);
  firstRead.resolve();
  await delay(500);

  const second = all.find(({ path }) => path === '/second/read');
  expect(firstEndedAt).toBeLessThan(second?.startedAt ?? Number.NaN);
  expect(events).toContainEqual({ type: 'leases-unrenewed', messages: 1 });
  const writes = receiver.received.filter(({ path }) => path.endsWith('/write'));
  expect(writes.map((write) => [write.path, pageOf(write)])).toEqual([
    ['/second/write', 1],
    ['/second/write', 2],
  ]);
});

test('a process that stood still until its lease was over makes no further call of a push', async () => {
  const service = await openService();
  const receiver = await startReceiver();
  await install(service.store);
  const calls: string[] = [];
  dispatch(service, {
    ...lease,
    senders: sendersWith({
      async guestUpdate(_message, signal, limits) {
        calls.push('read');
        if (calls.length === 1) {
          const end = performance.now() + lease.leaseMs;
          while (performance.now() < end);
        }
        // The event loop has not turned in between: no timer can have aborted the signal.
        limits?.checkLease();
        signal.throwIfAborted();
        calls.push('write');
        return { outcome: 'accepted', durationMs: 1 };
      },
    }),
  });
  await service.store.waivers.create(waiver({ id: 'w1', bookingSystem: 'standard', bookingId: 'b1' }));
  expect(receiver.received).toEqual([]);
  while (!calls.includes('write')) await delay(20);
  expect(calls).toEqual(['read', 'read', 'write']);
});

test('a lease that is too short for its margin is refused', async () => {
  const { store } = await openService();
  const sender = () => Promise.reject(new Error('not used'));
  expect(() =>
    createDispatcher({
      outbox: store.outbox,
      senders: { guestUpdate: sender, guestWebhook: sender, alert: sender, invitation: sender },
      policy: { retrySchedule: [0], pauseAfterMs: 1, probeIntervalMs: 1 },
      concurrency: 1,
      destinationConcurrency: 1,
      onEvent: () => {},
      leaseMs: 3_000,
    }),
  ).toThrow('a lease of 3000 ms is too short for a margin of 2000 ms');
});

const socketName = '.s.PGSQL.5432';

/** A proxy to the test run's database that can stop forwarding: connections stay open, without any response. */
async function stoppableDatabase(databaseUrl: string) {
  const folder = /[?&]host=([^&]+)/.exec(databaseUrl)?.[1];
  if (folder === undefined) throw new Error('the database of the test run is not at a unix socket');
  const ownFolder = await mkdtemp(join(tmpdir(), 'ws-'));
  const sockets = new Set<Socket>();
  let isStopped = false;

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    if (isStopped) from.pause();
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }
  const server = createServer((near) => {
    const far = openSocket(join(decodeURIComponent(folder), socketName));
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => server.listen(join(ownFolder, socketName), resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(ownFolder, { recursive: true, force: true });
  });
  return {
    url: databaseUrl.replace(`host=${folder}`, `host=${encodeURIComponent(ownFolder)}`),
    stop() {
      isStopped = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isStopped = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
