import { inspect } from 'node:util';
import { AxiosHeaders } from 'axios';
import fc from 'fast-check';
import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange, HttpUse } from '../src/index.ts';
import { openWayOut, serveSilence } from './loopback-servers.ts';

const secret = 'the-account-key-93b1';
// Answers with the request as it came; `?answer=` says what to answer instead, `?status=` the status.
const {
  outbound,
  server,
  url: address,
} = await openWayOut((request, response) => {
  const url = new URL(request.url ?? '', 'http://x');
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    response.statusCode = Number(url.searchParams.get('status') ?? 200);
    const echo = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body,
    };
    response.end(url.searchParams.get('answer') ?? JSON.stringify(echo));
  });
});
const base = `${address}/api`;

interface ClientOptions extends Partial<HttpUse> {
  readonly baseUrl?: string;
  readonly headers?: Record<string, string>;
}

const client = ({ baseUrl = base, headers = { 'Api-Key': secret }, ...use }: ClientOptions = {}) =>
  outbound.prepareHttp({ baseUrl, headers })({ signal: new AbortController().signal, ...use }).http;

describe('what is sent', () => {
  test.each(['', '/'])('goes under a base address with a path that ends in "%s"', async (end) => {
    for (const path of ['bookings/7', '/bookings/7']) {
      const { data } = await client({ baseUrl: `${base}${end}` }).get(path, { params: { pool: 'p' } });
      expect(data.url).toBe('/api/bookings/7?pool=p');
    }
  });

  test('stays under the base address even where a path looks like another host', async () => {
    for (const path of [`http://127.0.0.1:1/x`, '//127.0.0.1:1/x']) {
      const { data } = await client().get(path);
      expect(data.url).toContain('/api/');
    }
  });

  test('carries the authentication header in the spelling that was declared, and nothing compressed is asked for', async () => {
    const { data } = await client().get('x');
    expect(data.rawHeaders).toContain('Api-Key');
    expect(data.headers).toMatchObject({
      'api-key': secret,
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  test('is JSON for a value, and a text as it stands', async () => {
    const asJson = await client().post('x', { a: [1] });
    expect(asJson.data).toMatchObject({ body: '{"a":[1]}', method: 'POST' });
    expect(asJson.data.headers['content-type']).toBe('application/json');
    const asText = await client().put('x', '{ "a" : 1 }', { headers: { 'Content-Type': 'text/plain' } });
    expect(asText.data).toMatchObject({ body: '{ "a" : 1 }', method: 'PUT' });
    expect(asText.data.headers['content-type']).toBe('text/plain');
    const without = await client().delete('x');
    expect(without.data).toMatchObject({ body: '', method: 'DELETE' });
    expect(without.data.headers['content-type']).toBeUndefined();
  });

  test('keeps any query value whole, and nothing in it raw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 20 }), async (value) => {
        const { data } = await client().get('x', { params: { value, absent: undefined } });
        expect(data.url).toMatch(/^\/api\/x\?value=[A-Za-z0-9._~%-]*$/);
        expect(new URL(data.url, base).searchParams.get('value')).toBe(value);
      }),
      { numRuns: 50 },
    );
  });

  test('passes the interceptors that a plugin adds', async () => {
    const http = client();
    http.interceptors.request.use((config) => {
      config.headers.set('X-Added', 'yes');
      return config;
    });
    expect((await http.post('x', {})).data.headers['x-added']).toBe('yes');
    const other = client();
    other.interceptors.response.use((answer) => ({ ...answer, data: 'replaced' }));
    expect((await other.get('x')).data).toBe('replaced');
  });

  test('has the defaults that a plugin sets, for one use', async () => {
    const http = client();
    expect((await http.get('x')).data.headers['x-own']).toBeUndefined();
    Object.assign(http.defaults.headers, { 'X-Own': 'a' });
    expect((await http.get('x')).data.headers['x-own']).toBe('a');
    expect((await http.put('x', {}, { headers: { 'x-own': 'b' } })).data.headers['x-own']).toBe('b');
    expect((await client().get('x')).data.headers['x-own']).toBeUndefined();
  });

  test('shows its authentication to no interceptor', async () => {
    const http = client();
    const seen: unknown[] = [];
    http.interceptors.request.use((config) => {
      seen.push(config);
      return config;
    });
    http.interceptors.response.use(({ data, ...answer }) => {
      seen.push(answer);
      return { data, ...answer };
    });
    expect((await http.get('x')).data.headers['api-key']).toBe(secret);
    expect(seen).toHaveLength(2);
    expect(inspect(seen, { depth: 20 })).not.toContain(secret);
  });

  test.each(['line\r\nX-Evil: 1', 'line\nbreak', 'nul\u0000', 'schlüssel', 'ключ'])(
    'never has a header value that HTTP cannot carry: %j',
    async (value) => {
      const before = server.connections();
      const call = client({ headers: { 'api-key': value } }).get('x');
      await expect(call).rejects.toMatchObject({ code: 'booking_system_error', inDoubt: false });
      await expect(call).rejects.toThrow('api-key');
      await expect(call).rejects.not.toThrow(value);
      expect(server.connections()).toBe(before);
    },
  );

  test('never has a second header hidden in a plugin’s own header value', async () => {
    const { data } = await client().get('x', { headers: { 'X-Own': 'a\r\nX-Evil: 1' } });
    expect(data.headers['x-evil']).toBeUndefined();
  });

  test('takes no proxy from the environment', async () => {
    const proxy = await serveSilence();
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    const { status } = await client().get('x');
    for (const name of names) delete process.env[name];
    await proxy.close();
    expect(status).toBe(200);
    expect(proxy.connections()).toBe(0);
  });

  test('shares kept connections', async () => {
    await client().get('x');
    const before = server.connections();
    for (let call = 0; call < 5; call += 1) await client().get('x');
    expect(server.connections()).toBe(before);
  });
});

describe('the answer', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['"text"', 'text'],
    ['\ufeff[1]', [1]],
    ['<html></html>', '<html></html>'],
    ['{"a":', '{"a":'],
    ['', ''],
  ])('%j is read as %j', async (answer, data) => {
    expect((await client().get('x', { params: { answer } })).data).toEqual(data);
  });

  test.each([200, 201, 400, 401, 404, 429, 500, 503])('status %i resolves', async (status) => {
    expect((await client().get('x', { params: { status } })).status).toBe(status);
  });

  test('has its headers by any spelling, as axios has them', async () => {
    const answer = await client().get('x');
    expect(answer.headers.date).toEqual(expect.any(String));
    const headers = answer.headers instanceof AxiosHeaders ? answer.headers : undefined;
    expect(headers?.get('DATE')).toBe(answer.headers.date);
  });

  test('names the booking system in an error, where the client knows its name', async () => {
    const prepared = outbound.prepareHttp({ baseUrl: 'https://10.0.0.1', headers: {}, peer: 'Acme' });
    const { http } = prepared({ signal: new AbortController().signal });
    await expect(http.get('x')).rejects.toThrow(/^Acme \(10\.0\.0\.1\) may not be reached.*OUTBOUND_ALLOW/);
  });

  test('shows the account’s key nowhere: not in the answer object, not in an error, not in the exchange', async () => {
    const exchanges: Exchange[] = [];
    const http = client({ onExchange: (exchange) => exchanges.push(exchange) });
    const { data, ...answer } = await http.get('x', { params: { key: 'also-secret' } });
    expect(data.headers['api-key']).toBe(secret);
    const failure = await http.get('x', { params: { status: 302 } }).catch((error: unknown) => error);
    expect(exchanges).toHaveLength(2);
    expect(exchanges[0]).toMatchObject({ method: 'GET', status: 200, url: `${base}/x?key=redacted` });
    expect(exchanges[0]?.excerpt).toContain('«redacted»');
    expect(exchanges[1]).toMatchObject({ status: 302, outboundErrorCode: 'redirect' });
    expect(inspect([answer, failure, exchanges, http.defaults], { depth: 20 })).not.toContain(secret);
  });

  test('ends all calls of one use by its deadline, and makes none after it', async () => {
    const silent = await serveSilence();
    try {
      const http = client({
        baseUrl: `http://127.0.0.1:${silent.port}`,
        deadlineAt: performance.now() + 200,
      });
      const started = performance.now();
      await expect(http.get('x')).rejects.toMatchObject({
        code: 'booking_system_timeout',
        outboundErrorCode: 'timeout',
        inDoubt: true,
      });
      // The limit of one call is ten seconds.
      expect(performance.now() - started).toBeLessThan(9_000);
      await expect(http.post('x')).rejects.toMatchObject({
        code: 'booking_system_timeout',
        outboundErrorCode: 'timeout',
        inDoubt: false,
        message: expect.stringContaining('was not called any more'),
      });
    } finally {
      await silent.close();
    }
  });

  test('asks before each request of either way, and makes none that may not go or has waited too long', async () => {
    const asked: number[] = [];
    const started = performance.now();
    const beforeRequest = async (deadlineAt: number) => void asked.push(deadlineAt - started);
    const http = client({ beforeRequest });
    await http.get('x');
    await http.put('x', { a: 1 }, { headers: { 'X-Own': '1' } });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toBeGreaterThanOrEqual(10_000);
    const refusal = new Error('not now');
    await expect(client({ beforeRequest: () => Promise.reject(refusal) }).get('x')).rejects.toBe(refusal);
    const patience = client({
      deadlineAt: performance.now() + 50,
      beforeRequest: () => new Promise((resolve) => setTimeout(resolve, 60)),
    });
    await expect(patience.get('x')).rejects.toMatchObject({
      code: 'booking_system_timeout',
      inDoubt: false,
      message: expect.stringContaining('was not called any more'),
    });
  });

  test('tells an exchange for a call that brought no answer too', async () => {
    const exchanges: Exchange[] = [];
    const gone = await serveSilence();
    await gone.close();
    const http = client({
      baseUrl: `http://127.0.0.1:${gone.port}`,
      onExchange: (exchange) => exchanges.push(exchange),
    });
    await http.get('x').catch(() => {});
    expect(exchanges).toMatchObject([{ outboundErrorCode: 'connection_refused', excerpt: '' }]);
    expect(exchanges[0]?.status).toBeUndefined();
  });
});

describe('under nock', () => {
  afterEach(() => {
    nock.cleanAll();
    nock.restore();
    nock.activate();
  });
  test('a mock is answered, by axios and by send, Retry-After included', async () => {
    const exchanges: Exchange[] = [];
    nock('https://booking.example')
      .get('/api/x')
      .reply(429, {}, { 'Retry-After': '30' })
      .post('/hook')
      .reply(202);
    const http = client({
      baseUrl: 'https://booking.example/api',
      onExchange: (exchange) => exchanges.push(exchange),
    });
    expect((await http.get('x')).status).toBe(429);
    expect(exchanges[0]?.retryAfterMs).toBe(30_000);
    const sent = outbound.endpoint({ url: 'https://booking.example/hook', headers: {} }).post({ body: '' });
    await expect(sent).resolves.toMatchObject({ status: 202 });
    expect(nock.isDone()).toBe(true);
  });
});
