import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isTooSlow, listen, stopListening } from '../src/app/connections.ts';
import { createApp } from '../src/app/create-app.ts';
import type { HostApp } from '../src/app/host-app.ts';
import { nothingElse } from './nothing-else.ts';

describe('connections', () => {
  // Longer than a test may take: whatever ends, ends for another reason.
  const graceMs = 600_000;
  let app: HostApp;
  let url: string;
  let lines: Record<string, unknown>[];

  /** Ends the request that is under way. */
  let release: () => void;

  beforeEach(async () => {
    lines = [];
    app = createApp({
      logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
      trustProxy: false,
      ...nothingElse,
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const config = { access: 'public' } as const;
    app.get('/quick', { config }, async () => ({ done: true }));
    app.route({
      method: ['GET', 'POST'],
      url: '/slow',
      config,
      handler: async (request) => {
        request.log.info('begun');
        await released;
        return { done: true };
      },
    });
    url = await listen(app, { host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    release();
    await stopListening(app, 0);
  });

  async function openConnection(): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  const untilBegun = () => expect.poll(() => lines).toContainEqual(expect.objectContaining({ msg: 'begun' }));
  const linesOfRequests = () => lines.filter(({ msg }) => String(msg).startsWith('request '));

  test('a connection on which nothing was ever sent does not hold up the end of a host', async () => {
    const warm = await openConnection();
    const ended = once(warm, 'close');
    // The server has accepted it once it has answered on a later one.
    await fetch(`${url}/quick`);
    await stopListening(app, graceMs);
    warm.resume();
    await ended;
  });

  test('a request that is under way, or half sent, is answered by a host that ends', async () => {
    const halfSent = await openConnection();
    halfSent.write('GET /quick HTTP/1.1\r\n');
    const underWay = fetch(`${url}/slow`);
    await untilBegun();
    const stopped = stopListening(app, graceMs);
    await delay(50);
    halfSent.write('host: a\r\n\r\n');
    const [answer] = await once(halfSent, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    release();
    expect((await underWay).status).toBe(200);
    await stopped;
  });

  test.each([
    'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n',
    'POST /slow HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  ])('a caller who hangs up before the answer begins is in the log, once: %j', async (request) => {
    const socket = await openConnection();
    socket.write(request);
    await untilBegun();
    socket.destroy();
    await expect.poll(linesOfRequests).toHaveLength(1);
    release();
    await delay(50);
    expect(linesOfRequests()).toEqual([
      expect.objectContaining({
        msg: 'request aborted',
        route: '/slow',
        remoteAddress: '127.0.0.1',
        durationMs: expect.any(Number),
      }),
    ]);
    expect(linesOfRequests()[0]).not.toHaveProperty('status');
  });

  test('a request that is answered is in the log, once', async () => {
    await (await fetch(`${url}/quick`)).text();
    await expect.poll(linesOfRequests).toHaveLength(1);
    await stopListening(app, graceMs);
    expect(linesOfRequests()).toEqual([expect.objectContaining({ msg: 'request answered', status: 200 })]);
  });

  test('localhost is one address, so that no second listener has another program’s port', async () => {
    const logger = pino({ level: 'silent' });
    const other = createApp({ logger, trustProxy: false, ...nothingElse });
    onTestFinished(() => stopListening(other, 0));
    const listened = vi.spyOn(other, 'listen');
    const address = await listen(other, { host: 'localhost', port: 0 });
    expect(listened).toHaveBeenCalledWith(expect.objectContaining({ host: '127.0.0.1' }));
    expect(new URL(address).hostname).toBe('localhost');
    expect((await fetch(`${address}/nowhere`)).status).toBe(404);
  });
});

const MiB = 1024 ** 2;

test('4 MiB by 3G, by a third of it and after a pause get through; a trickle does not', () => {
  const isEnded = (bytesPerSecond: number, pauseMs = 0) => {
    for (let elapsedMs = 0; ; elapsedMs += 1_000) {
      const bytes = Math.max(0, ((elapsedMs - pauseMs) / 1_000) * bytesPerSecond);
      if (bytes >= 4 * MiB) return false;
      if (isTooSlow(bytes, elapsedMs)) return true;
    }
  };
  expect(isEnded(48_000)).toBe(false);
  expect(isEnded(16_500)).toBe(false);
  expect(isEnded(48_000, 9_000)).toBe(false);
  expect(isEnded(8_000)).toBe(true);
  expect(isTooSlow(1, 10_900)).toBe(true);
});

test('a body that trickles is answered with 408, and one that breaks off is not waited for', async () => {
  const app = createApp({
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    ...nothingElse,
  });
  onTestFinished(() => stopListening(app, 0));
  app.post('/body', { config: { access: 'public' } }, async ({ body }) => ({ body }));
  const { hostname, port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }));
  const send = async (text: string) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n${text}`,
    );
    return socket;
  };
  const slow = await send('"a');
  const broken = await send('"a');
  broken.destroy();
  const honest = await send('"a');
  await delay(500);
  honest.write('bc"');
  expect(String((await once(honest, 'data'))[0])).toContain('{"body":"abc"}');
  honest.destroy();
  const [answer] = await once(slow, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"code":"request_timeout"/);
  await once(slow, 'close');
});

describe('a response that nobody reads', () => {
  const stallMs = 300;
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  let app: HostApp;
  let url: string;
  let produced: number;
  let isEnded: boolean;

  beforeEach(async () => {
    produced = 0;
    isEnded = false;
    app = createApp({
      logger: pino({ level: 'silent' }),
      trustProxy: false,
      ...nothingElse,
      stallMs,
    });
    const config = { access: 'public' } as const;
    async function* endless() {
      try {
        for (;;) {
          produced += 1;
          yield chunk;
        }
      } finally {
        isEnded = true;
      }
    }
    async function* pausing() {
      yield 'before ';
      await delay(stallMs * 3);
      yield 'after';
    }
    app.get('/endless', { config }, (_request, reply) => reply.send(Readable.from(endless())));
    app.get('/whole', { config }, (_request, reply) => reply.send(Buffer.alloc(64 * chunk.length)));
    app.get('/pausing', { config }, (_request, reply) => reply.send(Readable.from(pausing())));
    url = await listen(app, { host: '127.0.0.1', port: 0 });
  });
  afterEach(() => stopListening(app, 0));

  async function request(path: string) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return socket;
  }

  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

  test.each(['/endless', '/whole'])(
    'a caller that reads nothing of a response is cut off: %s',
    async (path) => {
      // Without a listener, nothing is read.
      const socket = await request(path);
      await expect.poll(connections).toBe(0);
      // The source of a response hears of it after the connection.
      await expect.poll(() => isEnded).toBe(path === '/endless');
      expect(produced).toBeLessThan(64);
      socket.destroy();
    },
  );

  test('a response that has nothing to send for longer is not ended, nor is the next one on the connection', async () => {
    for (let times = 0; times < 2; times += 1)
      expect(await (await fetch(`${url}/pausing`)).text()).toBe('before after');
    await delay(stallMs * 2);
    expect(await (await fetch(`${url}/pausing`)).text()).toBe('before after');
  });
});
