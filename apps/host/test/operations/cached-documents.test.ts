import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host?.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  host.call('GET', path, undefined, { token: null, headers });

test('the OpenAPI document is serialized once for all its addresses, and not sent to clients that have it', async () => {
  const swagger = vi.spyOn(host.host.app, 'swagger');
  const answers = [await get('/openapi.json'), await get('/openapi.json'), await get('/docs/json')];
  for (const { status, headers, text } of answers) {
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(text).toBe(answers[0]?.text);
    expect(headers.get('etag')).toBe(answers[0]?.headers.get('etag'));
  }
  expect(swagger).toHaveBeenCalledTimes(1);
  const etag = answers[0]?.headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    expect(await get('/openapi.json', { 'if-none-match': known })).toMatchObject({ status: 304, text: '' });
  }
  expect((await get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
});

test('assets of the docs page may be cached; API responses may not', async () => {
  const script = await get('/docs/static/swagger-ui-bundle.js');
  expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
  expect((await get('/v1/admin/pools')).headers.get('cache-control')).toBe('no-store');
});
