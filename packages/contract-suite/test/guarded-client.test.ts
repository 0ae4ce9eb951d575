import { createSocket } from 'node:dgram';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import tls from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { allClauses, runClause } from '../src/run-contract-suite.ts';
import { withParts } from './bad-plugins/alterations.ts';
import { goodPlugin } from './good-plugins.ts';

async function closingServer(): Promise<number> {
  const server = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return port;
}

/** Waits until a connection is made or refused, and ends it. */
async function tried(connection: NodeJS.EventEmitter & { destroy(): unknown }): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['connect', 'response', 'error', 'close']) connection.on(event, () => resolve());
  });
  connection.destroy();
}

/** The message of a clause that fails a plugin that also does this when it reads. */
async function messageOf(id: string, callAround: () => Promise<unknown>): Promise<string> {
  const plugin = withParts({
    async fetchBooking(context, bookingId) {
      await callAround().catch(() => undefined);
      return goodPlugin.fetchBooking(context, bookingId);
    },
  });
  const clause = allClauses.find((one) => one.id === id);
  if (!clause) throw new Error(`there is no clause ${id}`);
  return runClause(clause, plugin).then(() => 'passed', String);
}

test.each<[string, (port: number) => Promise<unknown>, RegExp]>([
  ['fetch', (port) => fetch(`http://127.0.0.1:${port}/x`), /fetch or undici: GET http:.*\/x/],
  ['node:http', (port) => tried(http.get(`http://127.0.0.1:${port}/x`)), /node:http: GET/],
  ['node:http2', (port) => tried(http2.connect(`http://127.0.0.1:${port}`)), /a TCP connection/],
  ['node:net', (port) => tried(net.connect(port, '127.0.0.1')), /a TCP connection/],
  ['node:tls', (port) => tried(tls.connect(port, '127.0.0.1')), /a TCP connection/],
  [
    'node:dgram',
    async (port) => {
      const socket = createSocket('udp4');
      await new Promise((resolve) => socket.send('x', port, '127.0.0.1', resolve));
      socket.close();
    },
    /a UDP socket/,
  ],
])('a call by %s is noticed, by every clause', async (_module, callAround, expected) => {
  const port = await closingServer();
  for (const id of ['client/only-way-out', 'read/current-form']) {
    const message = await messageOf(id, () => callAround(port));
    expect(message).toMatch(/^Error: the plugin made calls without context/);
    expect(message).toMatch(expected);
  }
});

test('a plugin that calls only by its client is not suspected', async () => {
  expect(await messageOf('client/only-way-out', () => Promise.resolve())).toBe('passed');
});
