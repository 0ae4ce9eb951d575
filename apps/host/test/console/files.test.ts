import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const get = (path: string) => host.call('GET', path, undefined, { token: null });

async function scripts(): Promise<string[]> {
  const { text } = await get('/console/');
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
}

test('every address of a page gets the page, under a policy that allows nothing inline', async () => {
  for (const path of ['/console/', '/console/deliveries/some-id', '/console/no-such-page']) {
    const { status, headers } = await get(path);
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  }
});

test('its files are kept by browsers, and sent compressed', async () => {
  const files = await scripts();
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const answer = await fetch(`${host.url}${file}`, { headers: { 'accept-encoding': 'br' } });
    expect([file, answer.status]).toEqual([file, 200]);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    if (!file.endsWith('.svg')) expect(answer.headers.get('content-encoding')).toBe('br');
  }
});

test.each([
  '/console/assets/no-such-file.js',
  '/console/assets/..%2findex.html',
  '/console/assets/..%2f..%2fpackage.json',
])('there is nothing at %s', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
