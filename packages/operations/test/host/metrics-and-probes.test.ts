import { startWebhookReceiver } from '@waiver-service/simulator';
import { accountKey, startSystemFor, type TestHost, until } from '@waiver-service/testing';
import { startTokenSystem, tokenAccount, tokenPlugin } from '@waiver-service/testing/tokens';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Readiness } from '../../src/operations-module.ts';
import { startOperationsHost } from '../setup/operations-host.ts';

test('metrics count requests whose callers hang up, with the time that they had waited', async () => {
  const host = await startOperationsHost();
  onTestFinished(() => host.close());
  const { accessToken: token } = await host.preparePool('shore');
  const first = await host.call('GET', '/v1/pools/shore/changes', undefined, { token });
  const metrics = async () => (await host.call('GET', '/metrics', undefined, { token: null })).text;
  const labels = 'method="GET",route="/v1/pools/:pool/changes",status="aborted"';
  expect(await metrics()).not.toContain(labels);

  const url = `${host.url}/v1/pools/shore/changes?wait=30&after=${first.body.next}`;
  const waiting = fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    // By then the host has the request, on a busy machine too.
    signal: AbortSignal.timeout(3_000),
  });
  await expect(waiting).rejects.toThrow('timeout');

  await expect.poll(metrics).toContain(`http_request_duration_seconds_count{${labels}} 1`);
  expect(await metrics()).toContain(`http_request_duration_seconds_bucket{le="0.25",${labels}} 0`);
});

test('a host is ready on a newer schema that it can use, and not on one that needs a newer host; it says why', async () => {
  const host = await startOperationsHost();
  const client = new Client({ connectionString: host.databaseUrl });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await host.close();
  });
  await client.query(`insert into migration (name, needs) values ('9998-wider', '')`);
  expect((await host.call('GET', '/readyz')).status).toBe(200);

  await client.query(`insert into migration (name, needs) values ('9999-narrower', '9998-wider')`);
  const refusal = await until(async () => {
    const answer = await host.call('GET', '/readyz');
    return answer.status === 503 && answer;
  }, 'the host not to be ready');
  expect(refusal.body).toEqual({
    success: false,
    code: 'not_ready',
    message:
      'This host is too old: the database was migrated by a newer version of the waiver service, and its 9999-narrower needs a version with 9998-wider: start that version.',
  });
  expect((await host.call('GET', '/healthz')).status).toBe(200);
  const { body: document } = await host.call('GET', '/openapi.json');
  expect(document.paths['/readyz'].get.responses).toHaveProperty('503');
});

test('metrics tell how much waits at destinations that are not sent to', async () => {
  const receiver = await startWebhookReceiver({});
  const host = await startOperationsHost();
  onTestFinished(async () => {
    await host.close();
    await receiver.close();
  });
  await host.preparePool('shore');
  const webhook = { url: receiver.url, auth: { type: 'none' } };
  expect((await host.call('POST', '/v1/admin/pools/shore/webhooks', webhook)).status).toBe(201);
  const [destination] = (await host.call('GET', '/v1/admin/destinations')).body.items;
  await host.call('POST', `/v1/admin/destinations/${destination.id}/pause`);
  for (const name of ['Ada', 'Bo']) {
    await host.call('POST', '/v1/pools/shore/waivers', { answers: { name } });
  }
  const { body: metrics } = await host.call('GET', '/metrics', undefined, { token: null });
  expect(metrics).toContain('waiver_service_lanes{kind="guest-webhook",state="held"} 2');
});

test('metrics count requests, attempts of each kind, and installations that need attention; they name nobody', async () => {
  const [receiver, system, tokens, host] = await Promise.all([
    startWebhookReceiver({}),
    startSystemFor('standard'),
    startTokenSystem(),
    startOperationsHost({ plugins: [tokenPlugin()] }),
  ]);
  onTestFinished(async () => {
    await host.close();
    await Promise.all([receiver.close(), system.close(), tokens.close()]);
  });
  const app = await host.makePool('shore');
  await host.connect('standard', system, 'shore');
  await host.admin('POST', '/v1/admin/pools/shore/webhooks', { url: receiver.url, auth: { type: 'none' } });
  const { body } = await app('POST', '/v1/pools/shore/waivers', {
    bookingSystem: 'standard',
    bookingId: 'BK-1001',
    answers: { name: 'Ada' },
  });
  const metrics = async () => (await host.as(null)('GET', '/metrics')).text;
  await expect.poll(metrics).toMatch(/attempts_total\{kind="guest-update",outcome="accepted"\} [1-9]/);
  await expect.poll(metrics).toMatch(/attempts_total\{kind="guest-webhook",outcome="accepted"\} [1-9]/);
  const route = 'method="POST",route="/v1/pools/:pool/waivers",status="201"';
  expect(await metrics()).toContain(`http_request_duration_seconds_count{${route}}`);
  expect(await metrics()).toContain('waiver_service_installations_needing_attention 0');
  expect(await metrics()).not.toMatch(new RegExp(`${body.id}|shore|${accountKey}`));

  const other = await host.makePool('lake');
  await host.admin('PUT', '/v1/admin/booking-systems/tokens', { baseUrl: tokens.url });
  const refused = { ...tokenAccount, apiKey: 'a-secret-that-the-vendor-refuses' };
  await host.admin('PUT', '/v1/admin/pools/lake/installations/tokens', refused);
  expect((await other('GET', '/v1/pools/lake/bookings/BK-1001')).status).toBe(502);
  await expect.poll(metrics).toContain('waiver_service_installations_needing_attention 1');
});

const forMachines = ['/healthz', '/readyz', '/metrics'];

test('with OPERATIONS_PORT, health, readiness and metrics are served there, on the same HOST, and nowhere else', async () => {
  const host = await startOperationsHost({ settings: { operationsPort: 0 } });
  onTestFinished(() => host.close());
  const operations = host.operationsUrl ?? '';
  expect(new URL(operations).hostname).toBe(new URL(host.url).hostname);
  const statuses = (base: string, paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(`${base}${path}`)).status));
  expect(await statuses(operations, forMachines)).toEqual([200, 200, 200]);
  expect(await statuses(host.url, forMachines)).toEqual([404, 404, 404]);
  expect(await statuses(operations, ['/v1/admin/pools', '/openapi.json', '/'])).toEqual([404, 404, 404]);
  expect(await statuses(host.url, ['/openapi.json'])).toEqual([200]);
  const document = await (await fetch(`${host.url}/openapi.json`)).json();
  expect(Object.keys(document.paths).filter((path) => forMachines.includes(path))).toEqual([]);
  // The requests of the API are counted all the same.
  const metrics = async () => (await fetch(`${operations}/metrics`)).text();
  await expect
    .poll(metrics)
    .toContain('http_request_duration_seconds_count{method="GET",route="/openapi.json"');
  host.container.get(Readiness).drain();
  expect(await statuses(operations, ['/readyz', '/healthz'])).toEqual([503, 200]);
});

describe('documents that many read', () => {
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
});
