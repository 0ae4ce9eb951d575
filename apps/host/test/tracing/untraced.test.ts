import { createRequire } from 'node:module';
import { startWebhookReceiver } from '@waiver-service/simulator';
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

test('the line of a failed attempt says what failed where, and when the next one is', async () => {
  const receiver = await startWebhookReceiver();
  receiver.faults.next('webhook', { kind: 'status', status: 503, body: 'Zebedee Quillfeather' });
  const webhook = { url: receiver.url, auth: { type: 'none' } };
  await host.call('POST', '/v1/admin/pools/rafting/webhooks', webhook);
  const waiver = { answers: { name: 'Zebedee Quillfeather' } };
  const { body } = await host.call('POST', '/v1/pools/rafting/waivers', waiver, { token });
  const [line] = await until(() => {
    const all = lines('delivery attempted').filter(({ outcome }) => outcome === 'refused');
    return all.length > 0 && all;
  }, 'the line');
  expect(line).toMatchObject({
    delivery: expect.any(String),
    destination: expect.any(String),
    kind: 'guest-webhook',
    pool: 'rafting',
    waiverId: body.id,
    version: 1,
    attempt: 1,
    trigger: 'schedule',
    outcome: 'refused',
    status: 503,
    durationMs: expect.any(Number),
    decision: 'retry',
    retryInMs: expect.any(Number),
  });
  expect(host.lines.join('')).not.toContain('Quillfeather');
  await receiver.untilReceived('webhook', 2);
  await receiver.close();
});

test('without a collector the SDK is not loaded', async () => {
  const { cache } = createRequire(import.meta.url);
  const loaded = () => Object.keys(cache).filter((path) => path.includes('@opentelemetry/sdk-trace'));
  expect(loaded()).toEqual([]);
  await import('../../src/tracing/open-tracing.ts');
  expect(loaded()).not.toEqual([]);
});
