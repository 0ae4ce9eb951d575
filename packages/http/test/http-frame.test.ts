import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listen } from '../src/app/connections.ts';
import { createApp, maxBodyBytes } from '../src/app/create-app.ts';
import type { HostApp } from '../src/app/host-app.ts';
import { nothingElse } from './nothing-else.ts';

describe('the frame', () => {
  const public_ = { access: 'public' } as const;

  const newApp = () =>
    createApp({
      logger: pino({ level: 'silent' }),
      trustProxy: false,
      ...nothingElse,
    });

  let app: HostApp;
  let url: string;
  beforeAll(async () => {
    app = newApp();
    app.route({
      method: 'POST',
      url: '/things/:id',
      config: public_,
      schema: {
        params: z.object({ id: z.string().max(256) }),
        querystring: z.strictObject({ limit: z.coerce.number().int().max(100).optional() }),
        body: z.strictObject({ name: z.string(), list: z.array(z.union([z.string(), z.int()])).optional() }),
      },
      handler: async (request) => ({ id: request.params.id, ...request.body }),
    });
    app.route({
      method: 'GET',
      url: '/broken',
      config: public_,
      handler: async () => {
        throw new Error('the password is hunter2');
      },
    });
    app.route({ method: 'POST', url: '/no-body', config: public_, handler: async () => ({ success: true }) });
    url = await listen(app, { host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());

  const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  async function expectProblem(response: Response, status: number, code: string) {
    const body = await response.json();
    expect([response.status, body.code]).toEqual([status, code]);
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/\S/) });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    return body;
  }

  test('a valid request gets a response with a request id that is not cached', async () => {
    const response = await post('/things/a%2Fb%25%20%F0%9F%8E%9F', '{"name":"x"}');
    expect(await response.json()).toEqual({ id: 'a/b% 🎟', name: 'x' });
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  describe('a malformed body is a 400 that says where', () => {
    test.each([
      ['{"name":1}', 'name'],
      ['{"nam":"x","name":"x"}', 'nam'],
      ['{"name":"x","list":["a",{}]}', 'list[1]'],
      ['{"name":"x\\u0000"}', 'name'],
      ['{"name":"\\udc00"}', 'name'],
      ['{"name":"x","list":[12345678901234567890]}', 'list[0]'],
      ['{"name":"x","__proto__":{"a":1}}', '__proto__'],
      ['[]', ''],
      ['null', ''],
      ['"name"', ''],
      ['', ''],
    ])('%s', async (body, path) => {
      const { errors } = await expectProblem(await post('/things/1', body), 400, 'malformed');
      expect(errors).toContainEqual({ path, message: expect.any(String) });
    });

    test('deep nesting', async () => {
      await expectProblem(
        await post('/things/1', '['.repeat(100_000) + ']'.repeat(100_000)),
        400,
        'malformed',
      );
    });

    test.each(['{', '{"name":"x"}}', 'name=x', '\ufeff{}x'])('invalid JSON: %s', async (body) => {
      await expectProblem(await post('/things/1', body), 400, 'malformed_json');
    });

    test('invalid UTF-8', async () => {
      await expectProblem(
        await post('/things/1', Buffer.from([0x22, 0xc3, 0x28, 0x22])),
        400,
        'malformed_json',
      );
    });
  });

  test('400 for a repeated or unknown query parameter', async () => {
    for (const query of ['limit=1&limit=2', 'limits=1', 'limit=x', 'limit=101', 'limit=%00', '__proto__=1']) {
      const response = await post(`/things/1?${query}`, '{"name":"x"}');
      expect([query, response.status]).toEqual([query, 400]);
    }
  });

  test('an id of any length in the path is answered by the schema, not by the router', async () => {
    const response = await post(`/things/${'%F0%9F%8E%9F'.repeat(64)}`, '{"name":"x"}');
    expect(response.status).toBe(200);
    const { errors } = await expectProblem(
      await post(`/things/${'x'.repeat(257)}`, '{"name":"x"}'),
      400,
      'malformed',
    );
    expect(errors[0].path).toBe('id');
  });

  test('errors of Fastify and Node have the same form', async () => {
    await expectProblem(await fetch(`${url}/nothing`), 404, 'not_found');
    await expectProblem(await post('/things/%ff', '{}'), 400, 'malformed');
    await expectProblem(
      await post('/things/1', '{}', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    );
    await expectProblem(
      await post('/things/1', '{}', { 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    );
    await expectProblem(await post('/things/1', `"${'x'.repeat(maxBodyBytes)}"`), 413, 'body_too_large');
    await expectProblem(
      await fetch(`${url}/nothing`, { headers: { big: 'x'.repeat(20_000) } }),
      431,
      'headers_too_large',
    );
    const response = await fetch(`${url}/things/1`, { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('POST');
    await expectProblem(response, 405, 'method_not_allowed');
  });

  test('an optional body may be empty', async () => {
    expect((await post('/no-body', '')).status).toBe(200);
    expect((await fetch(`${url}/no-body`, { method: 'POST' })).status).toBe(200);
  });

  test('an internal error reveals nothing to the caller', async () => {
    const body = await expectProblem(await fetch(`${url}/broken`), 500, 'internal');
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  test.each([
    ['bytes that are not HTTP', '\x16\x03\x01\x00\xff\xff\r\n\r\n', 400],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /no-body HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na',
      400,
    ],
    [
      'a length and chunks',
      'POST /no-body HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a chunk of no number',
      'POST /no-body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['no host', 'GET /nothing HTTP/1.1\r\n\r\n', 400],
  ])('%s is answered and the connection closed', async (_name, bytes, status) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end(bytes, 'latin1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    await once(socket, 'close');
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('a route without declared access keeps the app from starting', async () => {
    const careless = newApp();
    careless.get('/open', async () => 'x');
    await expect(careless.ready()).rejects.toThrow('/open does not say who may call it');
    const wrong = newApp();
    wrong.get('/v1/things', { config: { access: 'waivers:read' } }, async () => 'x');
    await expect(wrong.ready()).rejects.toThrow('/v1/things names no pool');
    const unconfined = newApp();
    unconfined.get('/v1/things', { config: { access: 'operator' } }, async () => 'x');
    await expect(unconfined.ready()).rejects.toThrow('/v1/things does not say how it is kept');
    const writing = newApp();
    writing.put('/v1/:pool/things', { config: { access: 'viewer' } }, async () => 'x');
    await expect(writing.ready()).rejects.toThrow('lets a viewer do more than read');
  });

  test('a request whose headers never end is aborted', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /no-body HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
    socket.destroy();
  });
});

async function addressSeen(trustProxy: false | number | string[], forwarded: string): Promise<string> {
  const proxied = createApp({
    logger: pino({ level: 'silent' }),
    trustProxy,
    ...nothingElse,
  });
  proxied.get('/ip', { config: { access: 'public' } }, async (request) => ({ ip: request.ip }));
  const answer = await proxied.inject({ url: '/ip', headers: { 'x-forwarded-for': forwarded } });
  return answer.json().ip;
}

test('the address behind a trusted proxy counts, a made-up one does not', async () => {
  expect(await addressSeen(false, '203.0.113.7')).toBe('127.0.0.1');
  expect(await addressSeen(1, '198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
  expect(await addressSeen(['127.0.0.0/8'], '203.0.113.7')).toBe('203.0.113.7');
});

test.each([
  ['203.0.113.7:5678', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['198.51.100.1:1,203.0.113.7:65535', '203.0.113.7'],
])('a forwarded address counts without its port: %s is %s', async (forwarded, address) => {
  expect(await addressSeen(1, forwarded)).toBe(address);
});

test('a trusted proxy that is named with its port is still one', async () => {
  const proxies = ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'];
  const forwarded = '198.51.100.1, 203.0.113.7:5678, [fd00::2]:9, 10.0.0.2:443';
  expect(await addressSeen(proxies, forwarded)).toBe('203.0.113.7');
});
