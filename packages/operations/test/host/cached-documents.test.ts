import type { TestHost } from '@waiver-service/testing';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startOperationsHost } from '../setup/operations-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startOperationsHost();
});
afterAll(() => host?.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  host.call('GET', path, undefined, { token: null, headers });

test('the OpenAPI document is serialized once for all its addresses, and not sent to clients that have it', async () => {
  // The tests' check of statuses reads the document once, with the first answer.
  await get('/healthz');
  const swagger = vi.spyOn(host.app, 'swagger');
  const answers = [await get('/openapi.json'), await get('/openapi.json'), await get('/docs/json')];
  for (const { status, headers, text } of answers) {
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(text).toBe(answers[0]?.text);
    expect(headers.get('etag')).toBe(answers[0]?.headers.get('etag'));
  }
  expect(swagger).toHaveBeenCalledTimes(1);
  const etag = answers[0]?.headers.get('etag') ?? '';
  for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`]) {
    expect(await get('/openapi.json', { 'if-none-match': known })).toMatchObject({ status: 304, text: '' });
  }
  expect((await get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
});

test('assets of the docs page may be cached; API responses may not', async () => {
  const script = await get('/docs/static/swagger-ui-bundle.js');
  expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
  expect((await get('/v1/admin/pools')).headers.get('cache-control')).toBe('no-store');
});

test('the OpenAPI document is compressed as the client prefers, under one ETag', async () => {
  const plain = await get('/openapi.json', { 'accept-encoding': 'identity' });
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
    null,
    'accept-encoding',
  ]);
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['zstd', null],
  ] as const) {
    const { headers, text } = await get('/openapi.json', { 'accept-encoding': accepted });
    expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encoding]);
    expect(headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(text).toBe(plain.text);
    if (encoding !== null) {
      expect(Number(headers.get('content-length'))).toBeLessThan(Buffer.byteLength(plain.text) / 5);
    }
  }
});

test('metrics are computed once a second for all who ask', async () => {
  const computed = vi.spyOn(Registry.prototype, 'metrics');
  const answers = await Promise.all(Array.from({ length: 30 }, () => get('/metrics')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(computed).toHaveBeenCalledTimes(1);
  await vi.waitFor(async () => {
    await get('/metrics');
    expect(computed).toHaveBeenCalledTimes(2);
  }, 120_000);
});
