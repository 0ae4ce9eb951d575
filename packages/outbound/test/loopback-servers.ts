import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import { createOutbound, type Outbound, type OutboundOptions } from '../src/index.ts';

/** A server on a free loopback port. */
export interface LoopbackServer {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

async function listen(server: net.Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => accepted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

// It is never the one to close a kept connection: a process that stands still for seconds would write to one that its
// own server is just closing.
export const serveHttp = (listener: RequestListener) =>
  listen(http.createServer({ keepAliveTimeout: 0 }, listener));

/** A way out, and a server that it may call: both are closed after the tests of a file. */
export async function openWayOut(
  listener: RequestListener,
  options: Partial<OutboundOptions> = {},
): Promise<{ readonly outbound: Outbound; readonly server: LoopbackServer; readonly url: string }> {
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 10_000, ...options });
  const server = await serveHttp(listener);
  afterAll(async () => {
    await outbound.close();
    await server.close();
  });
  return { outbound, server, url: `http://127.0.0.1:${server.port}` };
}

/** Answers each connection's first bytes as told: for answers that no HTTP server would give. */
export const serveBytes = (answer: (socket: Socket) => void) =>
  listen(net.createServer((socket) => socket.once('data', () => answer(socket))));

/** Accepts connections and says nothing, ever. */
export const serveSilence = () => listen(net.createServer(() => {}));

/** The records of a name; `silent` is never answered, `broken` is a SERVFAIL. */
export type Zone =
  | 'silent'
  | 'broken'
  | {
      readonly ipv4?: readonly string[];
      readonly ipv6?: readonly string[] | 'silent';
      readonly ttl?: number;
    };

/** A DNS server on loopback. */
export interface NameServer {
  /** For a resolver's `nameServers`. */
  readonly address: string;
  /** The names that were asked for the addresses of, once for each family. */
  readonly asked: readonly { readonly name: string; readonly family: 4 | 6 }[];
  close(): Promise<void>;
}

const questionAt = 12;
const typeA = 1;
const typeAaaa = 28;
const answered = 0x8180;
const serverFailure = 0x8182;
const noSuchName = 0x8183;

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = questionAt;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function record(type: number, address: string, ttl: number): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(questionAt);
  // A pointer to the name of the question.
  head.writeUInt16BE(0xc000 + questionAt, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function answerTo(message: Buffer, end: number, flags: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(message.subarray(0, end + 4));
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

/** Starts a DNS server that asks a function what it knows of a name; a name of which it knows nothing does not exist. */
export async function startNameServer(zoneOf: (name: string) => Zone | undefined): Promise<NameServer> {
  const asked: { name: string; family: 4 | 6 }[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, end } = readName(message);
    const type = message.readUInt16BE(end);
    asked.push({ name, family: type === typeAaaa ? 6 : 4 });
    const zone = zoneOf(name);
    const reply = (flags: number, records: readonly Buffer[] = []) =>
      socket.send(answerTo(message, end, flags, records), port, address);
    if (zone === 'silent') return;
    if (zone === undefined) return reply(noSuchName);
    if (zone === 'broken') return reply(serverFailure);
    const addresses = type === typeA ? zone.ipv4 : zone.ipv6;
    if (addresses === 'silent') return;
    reply(
      answered,
      (addresses ?? []).map((one) => record(type, one, zone.ttl ?? 60)),
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
