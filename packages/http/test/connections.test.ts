import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { listen, stopListening } from '../src/app/connections.ts';
import { createApp } from '../src/app/create-app.ts';
import type { HostApp } from '../src/app/host-app.ts';
import { nothingElse } from './nothing-else.ts';

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
