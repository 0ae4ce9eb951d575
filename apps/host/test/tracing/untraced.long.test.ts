import { createTestDatabase } from '@waiver-service/database/testing';
import { adminToken, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preloading, startProgram } from '../harness/program.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

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

test('the log line of a request names caller, route and pool', async () => {
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

test('a pool that looks like a key is omitted, and a long name is truncated', async () => {
  const key = `wst_${'k'.repeat(43)}`;
  expect(await requestLine(`/v1/pools/${key}/waivers`, { token: adminToken })).toMatchObject({
    pool: '[redacted]',
  });
  expect(
    (await requestLine(`/v1/pools/${'p'.repeat(300)}/waivers`, { token: adminToken })).pool,
  ).toHaveLength(128);
});

test('the SDK is loaded only if there is a collector', async () => {
  // In its own process: other tests of this one load the SDK.
  const countModules = preloading(`
    import { createRequire } from 'node:module';
    const { cache } = createRequire(${JSON.stringify(import.meta.url)});
    const modules = () => Object.keys(cache).filter((path) => path.includes('@opentelemetry/sdk-trace')).length;
    process.on('exit', () => console.error('modules of the SDK:', modules()));`);
  const database = await createTestDatabase();
  try {
    const start = (variables: Readonly<Record<string, string>>) =>
      startProgram({ DATABASE_URL: database.url, ...countModules, ...variables });
    const untraced = await start({});
    expect(await untraced.stop()).toBe(0);
    expect(untraced.spawned.stderr()).toMatch(/modules of the SDK: 0$/m);
    const traced = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(await traced.stop()).toBe(0);
    expect(traced.spawned.stderr()).toMatch(/modules of the SDK: [1-9]/);
  } finally {
    await database.drop();
  }
});
