import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound, retryAfterMsOf } from '../src/index.ts';
import { type LoopbackServer, serveBytes, serveHttp, serveSilence } from './loopback-servers.ts';

const timeoutMs = 2_000;
const maxResponseBytes = 10_000;
let outbound: Outbound;
const servers: LoopbackServer[] = [];

beforeEach(() => {
  outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs, maxResponseBytes });
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await outbound.close();
});

async function to(server: Promise<LoopbackServer>, scheme = 'http'): Promise<string> {
  const started = await server;
  servers.push(started);
  return `${scheme}://127.0.0.1:${started.port}/hook`;
}
const post = (url: string, signal?: AbortSignal) =>
  outbound.endpoint({ url, headers: {} }).post({ body: '{"a":1}', signal });
const withStatus = (status: number, body = '') =>
  to(serveHttp((_request, response) => response.writeHead(status).end(body)));

describe('an answer', () => {
  test.each([200, 204, 400, 404, 410, 429, 500, 503])('of status %i is data', async (status) => {
    await expect(post(await withStatus(status))).resolves.toMatchObject({ status });
  });

  test.each([301, 302, 303, 307, 308, 304])(
    'of status %i is a failure, and the redirect is not followed',
    async (status) => {
      const target = await serveHttp((_request, response) => response.end());
      servers.push(target);
      const url = await to(
        serveHttp((_request, response) =>
          response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end(),
        ),
      );
      await expect(post(url)).rejects.toMatchObject({
        code: 'booking_system_error',
        outboundErrorCode: 'redirect',
        upstreamStatus: status,
        inDoubt: false,
      });
      expect(target.connections()).toBe(0);
    },
  );

  test('shows its first 4 KiB', async () => {
    const { excerpt } = await post(await withStatus(200, 'x'.repeat(9000)));
    expect(excerpt).toBe('x'.repeat(4096));
  });

  test('of exactly the limit is read; of one byte more it is an error, in doubt because it may have been carried out', async () => {
    await expect(post(await withStatus(200, 'x'.repeat(maxResponseBytes)))).resolves.toMatchObject({
      status: 200,
    });
    await expect(post(await withStatus(200, 'x'.repeat(maxResponseBytes + 1)))).rejects.toMatchObject({
      code: 'invalid_booking_response',
      outboundErrorCode: 'response_too_large',
      inDoubt: true,
    });
  });

  test('that never ends is not read beyond the limit', async () => {
    let written = 0;
    const url = await to(
      serveHttp((_request, response) => {
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000))) written += 10_000;
        };
        response.on('drain', pour);
        pour();
      }),
    );
    await expect(post(url)).rejects.toMatchObject({ outboundErrorCode: 'response_too_large' });
    expect(written).toBeLessThan(20_000_000);
  });

  test('with a huge header is an error', async () => {
    const url = await to(
      serveBytes((socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)),
    );
    await expect(post(url)).rejects.toMatchObject({ outboundErrorCode: 'response_too_large', inDoubt: true });
  });

  test('that is not HTTP is an error', async () => {
    const url = await to(serveBytes((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    await expect(post(url)).rejects.toMatchObject({ outboundErrorCode: 'connection_reset', inDoubt: true });
  });
});

describe('a failure status counts although its body', () => {
  const refusal = 'HTTP/1.1 500 Oops\r\nContent-Length: 5000\r\n\r\nbroken';
  test('is cut off', async () => {
    const url = await to(serveBytes((socket) => socket.write(refusal, () => socket.destroy())));
    await expect(post(url)).resolves.toMatchObject({ status: 500, excerpt: 'broken' });
  });
  test('never comes to its end', async () => {
    const url = await to(serveBytes((socket) => void socket.write(refusal)));
    await expect(post(url)).resolves.toMatchObject({ status: 500 });
  });
  test('is over the limit', async () => {
    await expect(post(await withStatus(422, 'x'.repeat(maxResponseBytes + 1)))).resolves.toMatchObject({
      status: 422,
    });
  });
});

describe('no answer within the time limit', () => {
  test('is in doubt once the request was sent', async () => {
    const url = await to(serveHttp(() => {}));
    await expect(post(url)).rejects.toMatchObject({
      code: 'booking_system_timeout',
      outboundErrorCode: 'timeout',
      inDoubt: true,
    });
  });

  test('is not in doubt while the connection was still being made', async () => {
    const url = await to(serveSilence(), 'https');
    await expect(post(url)).rejects.toMatchObject({ outboundErrorCode: 'timeout', inDoubt: false });
  });

  test('covers a body that trickles in: it ends at the limit', async () => {
    const url = await to(
      serveBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
        const trickle = setInterval(() => socket.write('x'), 20);
        socket.on('close', () => clearInterval(trickle));
      }),
    );
    const startedAt = Date.now();
    await expect(post(url)).rejects.toMatchObject({ outboundErrorCode: 'timeout', inDoubt: true });
    // All of it would take twenty seconds.
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  test('of a request that still waits for a free connection is not in doubt: it is never written', async () => {
    const single = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs, connectionsPerOrigin: 1 });
    const seen: string[] = [];
    const url = await to(serveHttp((request) => void seen.push(request.url ?? '')));
    const send = (path: string, signal?: AbortSignal) =>
      single.endpoint({ url: new URL(path, url).href, headers: {} }).post({ body: '', signal });
    const first = expect(send('/1')).rejects.toMatchObject({ inDoubt: true });
    const second = send('/2', AbortSignal.timeout(timeoutMs / 4));
    await expect(second).rejects.toMatchObject({ outboundErrorCode: 'timeout', inDoubt: false });
    await first;
    await single.close();
    expect(seen).toEqual(['/1']);
  });
});

describe('a broken connection', () => {
  test('is in doubt once the request was sent', async () => {
    const url = await to(serveBytes((socket) => socket.resetAndDestroy()));
    await expect(post(url)).rejects.toMatchObject({ outboundErrorCode: 'connection_reset', inDoubt: true });
  });

  test('in the middle of a success is in doubt', async () => {
    const cutOff = 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{"succ';
    const url = await to(serveBytes((socket) => socket.write(cutOff, () => socket.destroy())));
    await expect(post(url)).rejects.toMatchObject({
      outboundErrorCode: 'connection_reset',
      inDoubt: true,
      upstreamStatus: 200,
    });
  });
});

describe('what never left is not in doubt', () => {
  test('a closed port', async () => {
    const gone = await serveSilence();
    await gone.close();
    await expect(post(`http://127.0.0.1:${gone.port}/`)).rejects.toMatchObject({
      outboundErrorCode: 'connection_refused',
      inDoubt: false,
    });
  });

  test('the name does not resolve', async () => {
    await expect(post('https://nowhere.invalid/')).rejects.toMatchObject({
      outboundErrorCode: 'dns_error',
      inDoubt: false,
    });
  });

  test('the other side speaks no TLS', async () => {
    const url = await to(
      serveHttp((_request, response) => response.end()),
      'https',
    );
    await expect(post(url)).rejects.toMatchObject({ outboundErrorCode: 'tls_error', inDoubt: false });
  });

  test('the address is no URL', async () => {
    await expect(post('not a url')).rejects.toMatchObject({ code: 'booking_system_error', inDoubt: false });
  });
});

describe('a caller that gives up', () => {
  test('before the call: nothing is sent', async () => {
    const server = await serveHttp(() => {});
    servers.push(server);
    const call = post(`http://127.0.0.1:${server.port}/`, AbortSignal.abort());
    await expect(call).rejects.toMatchObject({ code: 'booking_system_timeout', inDoubt: false });
    expect(server.connections()).toBe(0);
  });

  test('during the call: it is in doubt', async () => {
    const controller = new AbortController();
    const url = await to(serveHttp(() => controller.abort()));
    await expect(post(url, controller.signal)).rejects.toMatchObject({
      code: 'booking_system_timeout',
      inDoubt: true,
    });
  });

  test('of several calls at once: all that are under way end, and one that was answered stays answered', async () => {
    const controller = new AbortController();
    let waiting = 0;
    const url = await to(
      serveHttp((request, response) => {
        if (request.url === '/answered') response.end();
        else if (++waiting === 2) controller.abort();
      }),
    );
    const answered = await post(new URL('/answered', url).href, controller.signal);
    const ended = await Promise.allSettled([post(url, controller.signal), post(url, controller.signal)]);
    expect(answered).toMatchObject({ status: 200 });
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a time to come again, in an answer', () => {
  const now = new Date('2026-05-01T09:30:00Z');
  const parse = (value: unknown, at = now) => retryAfterMsOf({ 'retry-after': value }, at);

  test.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Fri, 01 May 2026 09:31:00 GMT', 60_000],
    ['Friday, 01-May-26 09:31:00 GMT', 60_000],
    ['Fri May  1 09:31:00 2026', 60_000],
    ['Fri, 01 May 2026 09:00:00 GMT', 0],
  ])('%s is %i ms', (text, milliseconds) => {
    expect(parse(text)).toBe(milliseconds);
  });

  test.each([
    undefined,
    null,
    7,
    ['7'],
    '',
    'soon',
    '-1',
    '1.5',
    '1e9',
    '2026-05-01T09:31:00Z',
    'Fri, 99 May 2026 09:31:00 GMT',
  ])('%s says nothing', (value) => {
    expect(parse(value)).toBeUndefined();
  });

  test('any whole number of seconds is that many, and stays a safe number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (seconds) => {
        const read = parse(String(seconds));
        const exact = seconds * 1000n;
        expect(read).toBe(exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(exact));
      }),
    );
  });

  test('any date in HTTP’s form is the time until then, never negative', () => {
    const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, dates, (date, at) => {
        const whole = Math.floor(date.getTime() / 1000) * 1000;
        expect(parse(date.toUTCString(), at)).toBe(Math.max(0, whole - at.getTime()));
      }),
    );
  });

  describe('a date in an answer with a Date header', () => {
    test('is the time between the two, whatever the clock of either side says', () => {
      const dates = fc.date({
        min: new Date('1970-01-01'),
        max: new Date('9999-12-31'),
        noInvalidDate: true,
      });
      fc.assert(
        fc.property(dates, fc.integer({ min: 0, max: 100_000 }), dates, (answered, seconds, at) => {
          const whole = Math.floor(answered.getTime() / 1000) * 1000;
          const until = new Date(whole + seconds * 1000);
          fc.pre(until.getUTCFullYear() <= 9999);
          const headers = { 'retry-after': until.toUTCString(), date: answered.toUTCString() };
          expect(retryAfterMsOf(headers, at)).toBe(seconds * 1000);
        }),
      );
    });

    test.each(['soon', '', undefined, 7])('counts from now where that date cannot be read: %j', (date) => {
      const headers = { 'retry-after': 'Fri, 01 May 2026 09:31:00 GMT', date };
      expect(retryAfterMsOf(headers, now)).toBe(60_000);
    });

    test('plays no part for seconds', () => {
      const headers = { 'retry-after': '7', date: 'Fri, 01 May 2020 09:31:00 GMT' };
      expect(retryAfterMsOf(headers, now)).toBe(7_000);
    });
  });

  test('no text makes it throw or answer anything but a time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = parse(text);
        expect(read === undefined || (Number.isSafeInteger(read) && read >= 0)).toBe(true);
      }),
    );
  });
});
