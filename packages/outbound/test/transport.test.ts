import net, { type AddressInfo, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createOutbound, type Exchange } from '../src/index.ts';
import { Deadlines } from '../src/transport/deadlines.ts';
import { BodyExcerpt } from '../src/transport/transport.ts';
import { serveHttp } from './loopback-servers.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const ok = `${head}content-length: 2\r\n\r\n{}`;

/** Where a connection is cut: at the request of this number on it, before or within the response. */
interface Cut {
  readonly atRequest: number;
  readonly after?: string;
  readonly connectionsPerOrigin?: number;
}

/** A server that answers each connection's requests until it cuts it. */
async function startServer({ atRequest, after = '', connectionsPerOrigin = 8 }: Cut) {
  const requests: string[] = [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    let count = 0;
    socket.on('data', (data) => {
      count += 1;
      requests.push(String(data).split(' ', 1)[0] ?? '');
      if (count < atRequest) socket.write(ok);
      else if (after === '') socket.destroy();
      else socket.end(after);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5_000, connectionsPerOrigin });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await outbound.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const exchanges: Exchange[] = [];
  let turns = 0;
  const { http } = outbound.prepareHttp({ baseUrl: url, headers: {} })({
    signal: new AbortController().signal,
    onExchange: (exchange) => exchanges.push(exchange),
    beforeRequest: async () => {
      turns += 1;
    },
  });
  return { http, outbound, url, requests, exchanges, turns: () => turns, connections: () => connections };
}

test('a read on a kept connection that the server has just closed is made once more, on a new connection', async () => {
  const { http, requests, exchanges, turns, connections } = await startServer({ atRequest: 2 });
  // Several connections are kept, each of which is closed at its next request.
  await Promise.all([1, 2, 3].map(() => http.get('x')));
  expect(connections()).toBe(3);
  expect((await http.get('y')).status).toBe(200);
  expect(requests).toHaveLength(5);
  // The repeated request takes its turn, and is shown, like any other.
  expect(turns()).toBe(5);
  expect(exchanges.map(({ outboundErrorCode }) => outboundErrorCode).slice(3)).toEqual([
    'connection_reset',
    undefined,
  ]);
  expect((await http.head('y')).status).toBe(200);
});

test.each(['post', 'put', 'patch', 'delete'] as const)('a %s is never repeated', async (method) => {
  const { http, requests } = await startServer({ atRequest: 2, connectionsPerOrigin: 1 });
  await http.get('x');
  await expect(http[method]('y')).rejects.toMatchObject({
    outboundErrorCode: 'connection_reset',
    inDoubt: true,
  });
  expect(requests).toEqual(['GET', method.toUpperCase()]);
});

test('a read is repeated once only', async () => {
  const { http, requests } = await startServer({ atRequest: 1 });
  await expect(http.get('x')).rejects.toMatchObject({ outboundErrorCode: 'connection_reset' });
  expect(requests).toEqual(['GET', 'GET']);
});

test('a read whose answer had begun, or was no HTTP, is not repeated', async () => {
  for (const after of [`${head}content-length: 20\r\n\r\n{}`, 'what?']) {
    const { http, requests } = await startServer({ atRequest: 1, after });
    await expect(http.get('x')).rejects.toThrow();
    expect(requests).toHaveLength(1);
  }
});

test('a library’s read by fetch is repeated', async () => {
  const { outbound, url, requests } = await startServer({ atRequest: 2, connectionsPerOrigin: 1 });
  const get = async () => (await outbound.fetch(url, { method: 'GET', headers: {} })).status;
  expect([await get(), await get()]).toEqual([200, 200]);
  expect(requests).toHaveLength(3);
});

test('of any body the beginning is kept and the whole is counted, however it is cut into chunks', () => {
  const chunk = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(chunk), fc.nat(100), (chunks, most) => {
      const body = new BodyExcerpt(most);
      for (const bytes of chunks) body.add(bytes);
      const whole = Buffer.concat(chunks);
      expect(body.size).toBe(whole.length);
      expect(body.bytes().equals(whole.subarray(0, most))).toBe(true);
    }),
  );
});

test('long answers to webhooks are not held in memory while they come in', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  const answers = 16;
  let poured = 0;
  const server = await serveHttp((_request, response) => {
    for (let part = 0; part < 3; part += 1) response.write(mebibyte);
    response.write(mebibyte, () => {
      poured += 1;
    });
  });
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 30_000 });
  const giveUp = new AbortController();
  onTestFinished(async () => {
    await outbound.close();
    await server.close();
  });
  const heldBytes = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };

  const before = heldBytes();
  const url = `http://127.0.0.1:${server.port}/`;
  const endpoint = outbound.endpoint({ url, headers: {} });
  const message = { body: '', signal: giveUp.signal };
  const sent = Array.from({ length: answers }, () => endpoint.post(message));
  const settled = Promise.allSettled(sent);
  await expect.poll(() => poured).toBe(answers);
  // All of it has come, and no answer has ended.
  await expect.poll(() => heldBytes() - before).toBeLessThan(answers * 1024 * 1024);
  giveUp.abort();
  await settled;
});

describe('the deadlines of calls', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function start() {
    const deadlines = new Deadlines();
    const expired: string[] = [];
    const begin = (name: string, inMs: number) => {
      const one = { deadlineAt: performance.now() + inMs, place: -1, expire: () => expired.push(name) };
      deadlines.add(one);
      return { end: () => deadlines.delete(one) };
    };
    return { expired, begin };
  }

  test('each ends at its own time, in whichever order they were begun', () => {
    const { expired, begin } = start();
    const { end } = begin('long', 10_000);
    const calls = new Map([300, 100, 200].map((inMs) => [String(inMs), begin(String(inMs), inMs)]));
    for (const time of ['100', '200', '300']) {
      vi.advanceTimersByTime(99);
      expect(expired).not.toContain(time);
      vi.advanceTimersByTime(1);
      expect(expired).toContain(time);
      calls.get(time)?.end();
    }
    end();
    vi.advanceTimersByTime(20_000);
    expect(expired).toEqual(['100', '200', '300']);
  });

  test('there is one timer, however many are pending', () => {
    const { begin } = start();
    for (let call = 0; call < 100; call += 1) begin('one', 10_000 + call).end();
    expect(vi.getTimerCount()).toBe(1);
  });
});
