import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen, stopListening } from '../src/app/connections.ts';
import { createApp } from '../src/app/create-app.ts';
import type { HostApp } from '../src/app/host-app.ts';
import { nothingElse } from './nothing-else.ts';

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
