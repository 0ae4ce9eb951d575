import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminToken, startTestHost, type TestHost, until } from '../harness/test-host.ts';

let host: TestHost;
let token: string;
beforeAll(async () => {
  host = await startTestHost();
  token = (await host.preparePool('rafting')).accessToken;
});
afterAll(() => host?.close());

const lines = (message: string) =>
  host.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);

async function requestLine(path: string, options: { token: string | null }) {
  const answer = await host.call('GET', path, undefined, options);
  const requestId = answer.headers.get('x-request-id');
  return until(() => lines('request answered').find((line) => line.requestId === requestId), 'the line');
}

test('the line of a request says who asked for what in which pool', async () => {
  const route = '/v1/pools/:pool/waivers';
  expect(await requestLine('/v1/pools/rafting/waivers', { token })).toMatchObject({
    method: 'GET',
    path: '/v1/pools/rafting/waivers',
    route,
    status: 200,
    durationMs: expect.any(Number),
    remoteAddress: '127.0.0.1',
    caller: 'pool',
    actor: expect.stringMatching(/^access-token:./),
    pool: 'rafting',
  });
  const line = await requestLine('/v1/pools/rafting/waivers', { token: adminToken });
  expect(line).toMatchObject({ route, caller: 'person', actor: 'admin-token', pool: 'rafting' });
  expect(line).not.toHaveProperty('traceId');
});

test('the pool that a stranger names is not taken for one', async () => {
  const line = await requestLine('/v1/pools/rafting/waivers', { token: null });
  expect(line).toMatchObject({ status: 401, code: 'unauthorized' });
  for (const field of ['caller', 'actor', 'pool']) expect(line).not.toHaveProperty(field);
});

test('what looks like a key is no pool, and a long name is cut', async () => {
  const key = `wst_${'k'.repeat(43)}`;
  expect(await requestLine(`/v1/pools/${key}/waivers`, { token: adminToken })).toMatchObject({
    pool: '[redacted]',
  });
  expect(
    (await requestLine(`/v1/pools/${'p'.repeat(300)}/waivers`, { token: adminToken })).pool,
  ).toHaveLength(128);
});

test('without a collector the SDK is not loaded', async () => {
  const { cache } = createRequire(import.meta.url);
  const loaded = () => Object.keys(cache).filter((path) => path.includes('@opentelemetry/sdk-trace'));
  expect(loaded()).toEqual([]);
  await import('../../src/tracing/open-tracing.ts');
  expect(loaded()).not.toEqual([]);
});
