import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RequestWindows } from '../src/http/recording-server.ts';
import {
  type Fault,
  type SimulatedBookingSystem,
  type SimulatedWebhookReceiver,
  startBookingSystem,
  startWebhookReceiver,
} from '../src/index.ts';

describe('webhook receiver', () => {
  let receiver: SimulatedWebhookReceiver;
  afterEach(() => receiver.close());

  const post = (headers: Record<string, string> = {}) =>
    fetch(receiver.url, { method: 'POST', headers, body: '{"guest":{"id":"g – 1"}}' });

  test('requires a custom header', async () => {
    receiver = await startWebhookReceiver({ auth: { type: 'header', name: 'X-Own', value: 'secret' } });
    expect((await post()).status).toBe(401);
    expect((await post({ 'x-own': 'wrong' })).status).toBe(401);
    expect((await post({ 'x-own': 'secret' })).status).toBe(200);
  });

  test('requires Basic authentication', async () => {
    receiver = await startWebhookReceiver({ auth: { type: 'basic', username: 'ü', password: 'a:b' } });
    expect((await post({ authorization: 'Basic xx' })).status).toBe(401);
    const credentials = Buffer.from('ü:a:b').toString('base64');
    expect((await post({ authorization: `Basic ${credentials}` })).status).toBe(200);
  });
});

describe('a booking system', () => {
  const apiKey = 'account-key';
  let system: SimulatedBookingSystem;
  beforeEach(async () => {
    system = await startBookingSystem({
      authHeaderName: 'api-key',
      apiKey,
      pathShape: 'path',
      form: 'current',
    });
  });
  afterEach(() => system.close());

  /** The response as a plain client sees it, chunk by chunk; `error` if the connection broke. */
  interface Seen {
    status?: number;
    headers: Record<string, unknown>;
    body: string;
    error?: string;
    chunks: number;
    milliseconds: number;
  }

  function read({ giveUpAfter = 5_000 } = {}): Promise<Seen> {
    const seen: Seen = { headers: {}, body: '', chunks: 0, milliseconds: 0 };
    const start = performance.now();
    return new Promise((resolve) => {
      const done = (error?: string) => {
        clearTimeout(timer);
        resolve({ ...seen, ...(error && { error }), milliseconds: performance.now() - start });
      };
      // A connection for each: one that is about to be reset must not be used again.
      const call = request(`${system.url}/bookings/BK-1001?pool=p`, {
        agent: false,
        headers: { 'api-key': apiKey },
      });
      const timer = setTimeout(() => {
        call.destroy();
        done('gave up');
      }, giveUpAfter);
      call.on('error', (error: NodeJS.ErrnoException) => done(error.code));
      call.on('response', (response) => {
        seen.status = response.statusCode ?? 0;
        seen.headers = response.headers;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          seen.body += chunk;
          seen.chunks += 1;
        });
        response.on('error', (error: NodeJS.ErrnoException) => done(error.code));
        response.on('end', () => done());
      });
      call.end();
    });
  }

  async function played(fault: Fault, how?: Parameters<typeof read>[0]): Promise<Seen> {
    system.faults.next('read', fault);
    const seen = await read(how);
    expect(system.received).toHaveLength(1);
    expect((await read()).status, 'the next request is answered as usual').toBe(200);
    return seen;
  }

  test('latency before another fault', async () => {
    const seen = await played({
      kind: 'latency',
      milliseconds: 60,
      followedBy: { kind: 'status', status: 503, retryAfter: 7, body: 'later' },
    });
    expect(seen).toMatchObject({ status: 503, body: 'later', headers: { 'retry-after': '7' } });
    expect(seen.milliseconds).toBeGreaterThanOrEqual(55);
  });

  test('a reset before the answer', async () => {
    const seen = await played({ kind: 'reset', when: 'before-answer' });
    expect(seen.status).toBeUndefined();
    expect(seen.error).toBe('ECONNRESET');
    expect(system.received[0]?.answer).toBeUndefined();
  });

  test('a reset after the headers', async () => {
    const seen = await played({ kind: 'reset', when: 'after-headers' });
    expect(seen.status).toBe(200);
    expect(seen.error).toBe('ECONNRESET');
    expect(system.received[0]?.answer?.status).toBe(200);
  });

  test('a reset after the answer', async () => {
    const seen = await played({ kind: 'reset', when: 'after-answer' });
    expect(seen.status).toBe(200);
    expect(JSON.parse(seen.body)).toMatchObject({ id: 'BK-1001' });
  });

  test('a hang', async () => {
    const seen = await played({ kind: 'hang' }, { giveUpAfter: 150 });
    expect(seen).toMatchObject({ error: 'gave up', body: '' });
    expect(seen.status).toBeUndefined();
  });

  test('a slow body', async () => {
    const usual = await read();
    const length = Buffer.byteLength(usual.body);
    system.faults.next('read', { kind: 'slow-body', bytesPerSecond: length * 4 });
    const seen = await read();
    expect(seen.body).toBe(usual.body);
    expect(seen.chunks).toBeGreaterThan(2);
    expect(seen.milliseconds).toBeGreaterThan(150);
  });

  test('come in the order planned, on their own route only, until cleared', async () => {
    system.faults.next('read', { kind: 'status', status: 500 }, 2);
    system.faults.always('read', { kind: 'status', status: 503 });
    system.faults.always('guest-update', { kind: 'status', status: 418 });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await read()).status);
    expect(statuses).toEqual([500, 500, 503, 503]);
    system.faults.clear('read');
    expect((await read()).status).toBe(200);
    const update = await fetch(`${system.url}/bookings/x/guests/`, { method: 'POST' });
    expect(update.status).toBe(418);
    system.faults.clear();
    expect((await fetch(`${system.url}/bookings/x/guests/`, { method: 'POST' })).status).toBe(401);
  });

  test('closing ends a hanging response', async () => {
    system.faults.next('read', { kind: 'hang' });
    const hanging = read();
    await system.untilReceived('read', 1);
    await system.close();
    expect((await hanging).error).toBe('ECONNRESET');
  });

  test('waiting for requests that do not arrive lists those that did', async () => {
    await read();
    await expect(system.untilReceived('guest-update', 1, 30)).rejects.toThrow('GET /bookings/BK-1001?pool=p');
  });

  test('a server that limits requests counts those that it refuses, and says when to come again', async () => {
    const ask = () => fetch(`${system.url}/bookings/BK-1001?pool=p`, { headers: { 'api-key': apiKey } });
    const limited = system.limitRequests([{ requests: 1, windowMs: 60_000 }]);
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(limited.refused).toBe(1);
    const forbidden = (seconds: number) => ({ status: 403, body: { seconds } });
    system.limitRequests([{ requests: 1, windowMs: 60_000 }], forbidden);
    await ask();
    expect((await ask()).status).toBe(403);
    system.limitRequests([]);
    expect((await ask()).status).toBe(200);
  });
});

test('accepts what every window has room for, wherever the window begins, and says when it will again', () => {
  const windows = new RequestWindows([
    { requests: 2, windowMs: 1_000 },
    { requests: 3, windowMs: 10_000 },
  ]);
  const waits = [0, 900, 950, 1_000, 1_100, 10_000, 10_900].map((now) => windows.take(now));
  expect(waits).toEqual([0, 0, 50, 0, 8_900, 0, 0]);
});
