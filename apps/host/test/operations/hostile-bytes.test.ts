import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
let accessToken: string;
let installKey: string;
beforeAll(async () => {
  host = await startTestHost();
  ({ accessToken, installKey } = await host.preparePool('p'));
});
afterAll(() => host.close());

const ids = [
  '%00',
  '%ed%a0%80',
  '%ff',
  '%',
  '%2e%2e',
  '.',
  '%2f',
  '%20',
  '%F0%9F%8E%9F',
  'x'.repeat(3000),
  '__proto__',
  "'%3B--",
];
const queries = [
  '',
  '?limit=1&limit=2',
  '?cursor=%00',
  '?cursor=x',
  '?limit=1e9',
  '?bookingId[]=1',
  '?since=x&until=x',
  '?__proto__=1',
  '?%ff=%ff',
];
const bodies = [
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"id":"\\u0000","answers":{"name":"\\ud800"}}',
  '{"answers":{"__proto__":1,"toString":1,"hasOwnProperty":{}}}',
  '{"id":1e400,"answers":[1]}',
  `{"answers":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  '{"key":{"toString":1},"pool":["p"],"accountId":{},"apiKey":null}',
  '{"url":"http://[::1","auth":{"type":"header","name":"a\\r\\nb","value":"\\r\\n"}}',
  '{"name":{},"prefillProperties":["__proto__",1]}',
  '{"since":"9999999-01-01T00:00:00Z","state":"waiting"}',
];

test('no path, query or body makes an error of ours or keeps a caller waiting', async () => {
  const { paths } = (await host.call('GET', '/openapi.json')).body;
  let calls = 0;
  for (const [path, methods] of Object.entries<Record<string, object>>(paths)) {
    for (const name of Object.keys(methods)) {
      const method = name.toUpperCase();
      const at = (id: string) =>
        path
          .replace('{pool}', 'p')
          .replace('{booking_system}', path.startsWith('/integration') ? 'standard' : id)
          .replaceAll(/\{\w+\}/g, id);
      const tries = [
        ...ids.map((id) => ({ target: at(id), body: method === 'GET' ? undefined : '{}' })),
        ...queries.map((query) => ({ target: at('x') + query, body: method === 'GET' ? undefined : '{}' })),
        ...(method === 'GET' ? [] : bodies.map((body) => ({ target: at('x'), body }))),
      ];
      for (const { target, body } of tries) {
        const keyed = path.startsWith('/integration')
          ? body?.replace(/^\{(?=")/, `{"key":${JSON.stringify(installKey)},`)
          : body;
        const answer = await host.call(method, target, keyed, {
          headers: { 'content-type': 'application/json' },
        });
        calls += 1;
        expect([
          method,
          target.slice(0, 200),
          body?.slice(0, 80),
          answer.status < 500 || answer.body.code !== 'internal' || answer.body,
        ]).toEqual([method, target.slice(0, 200), body?.slice(0, 80), true]);
      }
    }
  }
  expect(calls).toBeGreaterThan(500);
  expect(accessToken).toMatch(/^wst_/);
  expect((await host.call('GET', '/readyz')).status).toBe(200);
}, 120_000);
