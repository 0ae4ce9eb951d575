import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { createTestDatabase } from '@waiver-service/database/testing';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { listenLocally, startSystemFor, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PlantedSecrets } from '../harness/planted-secrets.ts';
import { type Program, startProgram } from '../harness/program.ts';

const attributesSchema = z
  .array(
    z.object({
      key: z.string(),
      value: z.union([
        z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
        z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
        z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
      ]),
    }),
  )
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])));

const spanSchema = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: attributesSchema,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().default(0) }),
});

// OTLP/HTTP with JSON, strict about what this service sends.
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A span that a collector received. */
type CollectedSpan = z.infer<typeof spanSchema> & { readonly service: string };

/** A collector of traces on 127.0.0.1, which speaks OTLP/HTTP with JSON. */
async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let isHanging = false;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (isHanging) return;
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    received.push({ headers: request.headers, body });
    for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
      const service = String(resource.attributes['service.name']);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((span) => ({ ...span, service })));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    received,
    /** From now on, no request gets an answer. */
    hang() {
      isHanging = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const planted = new PlantedSecrets();
const collectorKey = planted.plant('collector key', 'collector key/é'.replace('é', '='));
const webhookKey = planted.plant('webhook key', 'wk-5b1f09c2d7');
const guest = {
  name: planted.plant('name', 'Zebedee Quillfeather'),
  email: planted.plant('e-mail', 'zebedee@quillfeather.example'),
  notes: planted.plant('notes', 'allergic to nightshade'),
};
// Callers choose ids, and may choose a guest's name.
const waiverId = planted.plant('waiver id', 'zebedee-quillfeather-1961');

const [collector, system, receiver, database] = await Promise.all([
  startTraceCollector(),
  startSystemFor('standard'),
  startWebhookReceiver({ auth: { type: 'header', name: 'X-Own', value: webhookKey } }),
  createTestDatabase(),
]);
let api: Program;
let sender: Program;
let token: string;

beforeAll(async () => {
  const common = {
    DATABASE_URL: database.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `X-Collector-Key=${encodeURIComponent(collectorKey)}`,
    LOG_LEVEL: 'info',
  };
  [api, sender] = await Promise.all([
    startProgram({ ...common, ROLE: 'api', OTEL_SERVICE_NAME: 'api', OTEL_EXPORTER_OTLP_TIMEOUT: '500' }),
    startProgram({ ...common, ROLE: 'dispatcher', OTEL_SERVICE_NAME: 'sender' }),
  ]);
  token = planted.plant('access token', await api.makePool('rafting'));
  await api.connect('standard', system, 'rafting');
  await api.done('POST', '/v1/admin/pools/rafting/webhooks', {
    url: receiver.url,
    auth: { type: 'header', name: 'X-Own', value: webhookKey },
    properties: ['name'],
  });
});
afterAll(async () => {
  await Promise.all([collector.close(), system.close(), receiver.close()]);
  await Promise.all([api?.stop(), sender?.stop()]);
  await database.drop();
});

const named = (name: string, { traceId }: Pick<CollectedSpan, 'traceId'>) =>
  collector.spans.filter((span) => span.name === name && span.traceId === traceId);
const requestsNamed = (name: string) => collector.spans.filter((span) => span.name === name);
const lineOf = (program: Program, text: string) =>
  program.spawned
    .stderr()
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line));

const creation = 'POST /v1/pools/:pool/waivers';

test('a signed waiver is one trace, from the request over the queue to each attempt, over two hosts', async () => {
  receiver.faults.next('webhook', { kind: 'status', status: 503, body: guest.name });
  system.faults.next('guest-update', { kind: 'status', status: 502, body: guest.email });
  const bookingId = system.bookings.all[0]?.id;
  const body = { id: waiverId, bookingId, bookingSystem: 'standard', answers: guest };
  expect((await api.call('POST', '/v1/pools/rafting/waivers', body, { token })).status).toBe(201);
  const [change] = await until(() => {
    const changes = requestsNamed('waiver change');
    return changes.some((each) => named('send guest-webhook', each).length === 2) &&
      changes.some((each) => named('send guest-update', each).length === 2)
      ? changes
      : undefined;
  }, 'the spans');
  if (change === undefined) throw new Error('no change');
  const [request] = await until(() => {
    const requests = named(creation, change);
    return requests.length > 0 && requests;
  }, 'the request');
  expect(request).toMatchObject({ service: 'api', links: [] });
  expect(request?.parentSpanId).toBeUndefined();
  expect(request?.attributes).toMatchObject({
    'http.response.status_code': 201,
    'waiver_service.caller': 'pool',
    'waiver_service.pool': 'rafting',
  });
  expect(change).toMatchObject({ service: 'api', parentSpanId: request?.spanId });
  expect(change.attributes).toMatchObject({
    'waiver_service.version': 1,
    'waiver_service.booking_system': 'standard',
  });
  const attempts = named('send guest-webhook', change).toSorted((a, b) =>
    Number(a.startTimeUnixNano - b.startTimeUnixNano),
  );
  expect(attempts.map(({ service, parentSpanId }) => [service, parentSpanId])).toEqual([
    ['sender', change.spanId],
    ['sender', change.spanId],
  ]);
  expect(
    attempts.map(({ attributes, status }) => [attributes['waiver_service.attempt'], status.code]),
  ).toEqual([
    [1, 2],
    [2, 0],
  ]);
  const [failed, accepted] = attempts;
  expect(failed?.attributes).toMatchObject({
    'http.response.status_code': 503,
    'waiver_service.decision': 'retry',
    'waiver_service.retry_in_ms': expect.any(Number),
  });
  expect(accepted?.attributes).toMatchObject({ 'waiver_service.decision': 'delivered' });
  // One for each destination, until its first attempt.
  const waits = named('queued', change);
  expect(waits.map(({ parentSpanId }) => parentSpanId)).toEqual([change.spanId, change.spanId]);
  expect(waits.map(({ endTimeUnixNano }) => endTimeUnixNano)).toContain(failed?.startTimeUnixNano);
  for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans)
    expect(startTimeUnixNano <= endTimeUnixNano).toBe(true);

  expect(lineOf(api, '"request answered"').filter(({ traceId }) => traceId === change.traceId)).toMatchObject(
    [{ route: '/v1/pools/:pool/waivers', status: 201, pool: 'rafting', caller: 'pool', method: 'POST' }],
  );
  const { traceId } = change;
  const lines = lineOf(sender, '"delivery attempted"').toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
  expect(lines).toMatchObject([
    {
      kind: 'guest-update',
      bookingSystem: 'standard',
      traceId,
      status: 502,
      attempt: 1,
      retryInMs: expect.any(Number),
    },
    {
      delivery: failed?.attributes['waiver_service.delivery'],
      destination: failed?.attributes['waiver_service.destination'],
      kind: 'guest-webhook',
      pool: 'rafting',
      waiverId,
      version: 1,
      attempt: 1,
      trigger: 'schedule',
      outcome: 'refused',
      status: 503,
      durationMs: expect.any(Number),
      decision: 'retry',
      retryInMs: failed?.attributes['waiver_service.retry_in_ms'],
      traceId,
    },
  ]);
  expect(lines[1]).not.toHaveProperty('bookingSystem');
  const sent = [...receiver.received, ...system.received];
  expect(sent.length).toBeGreaterThan(2);
  expect(sent.filter(({ headers }) => 'traceparent' in headers)).toEqual([]);
});

test.concurrent('a request whose caller hangs up has a span that says so, and its log line names the trace', async () => {
  const shore = await api.makePool('shore');
  const changes = '/v1/pools/shore/changes';
  const { body } = await api.call('GET', changes, undefined, { token: shore });
  const waiting = fetch(`${api.url}${changes}?wait=30&after=${body.next}`, {
    headers: { authorization: `Bearer ${shore}` },
    // By then the host has the request, on a busy machine too.
    signal: AbortSignal.timeout(3_000),
  });
  await expect(waiting).rejects.toThrow('timeout');
  const aborted = await until(
    () =>
      requestsNamed('GET /v1/pools/:pool/changes').find(
        ({ attributes }) => attributes['error.type'] === 'aborted',
      ),
    'the span of the request',
  );
  expect(aborted.attributes).not.toHaveProperty('http.response.status_code');
  expect(lineOf(api, '"request aborted"')).toMatchObject([{ traceId: aborted.traceId, pool: 'shore' }]);
});

test.concurrent("a caller's trace goes on in the request, linked to the change, whatever its sampled flag says", async () => {
  const caller = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) };
  const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-00` };
  const waiver = { answers: guest };
  await api.call('POST', '/v1/pools/rafting/waivers', waiver, { token, headers });
  const [request] = await until(() => {
    const requests = named(creation, caller);
    return requests.length > 0 && requests;
  }, 'the request');
  expect(request).toMatchObject({ parentSpanId: caller.spanId });
  const change = requestsNamed('waiver change').find(({ traceId }) => traceId === request?.links[0]?.traceId);
  expect(change).toMatchObject({ links: [{ traceId: caller.traceId, spanId: request?.spanId }] });
  expect(change?.parentSpanId).toBeUndefined();
  expect(change && named(creation, change)).toEqual([]);
});

test.concurrent('traces of unauthenticated callers are not continued, and probes have none', async () => {
  const stranger = { traceId: 'ef'.repeat(16), spanId: 'cd'.repeat(8) };
  const headers = { traceparent: `00-${stranger.traceId}-${stranger.spanId}-01` };
  const wrong = `wst_${'x'.repeat(43)}`;
  await api.call('GET', '/healthz');
  await api.call('GET', '/v1/pools/rafting/waivers', undefined, { token: wrong, headers });
  const [refused] = await until(() => {
    const requests = requestsNamed('GET /v1/pools/:pool/waivers');
    return requests.length > 0 && requests;
  }, 'the refused request');
  expect(refused?.attributes).toMatchObject({ 'http.response.status_code': 401 });
  expect(refused?.parentSpanId).toBeUndefined();
  expect(named('GET /v1/pools/:pool/waivers', stranger)).toEqual([]);
  expect(requestsNamed('GET /healthz')).toEqual([]);
});

test('the collector gets no guest, key or waiver id, the log no guest or key', () => {
  expect(collector.received.length).toBeGreaterThan(2);
  for (const { headers, body } of collector.received) {
    expect(headers['x-collector-key']).toBe(collectorKey);
    expect(planted.shownIn(body)).toEqual([]);
    expect(body).not.toContain('quillfeather');
    expect(body).not.toContain(new URL(receiver.url).host);
    expect(body).not.toContain(new URL(system.url).host);
  }
  for (const secret of [collectorKey, webhookKey, token, ...Object.values(guest)])
    expect(api.spawned.stderr() + sender.spawned.stderr()).not.toContain(secret);
});

test('with a collector that hangs, the hosts go on, warn once, and end in time', async () => {
  collector.hang();
  const create = () => api.call('POST', '/v1/pools/rafting/waivers', { answers: guest }, { token });
  const before = receiver.received.length;
  expect((await create()).status).toBe(201);
  await receiver.untilReceived('webhook', before + 1);
  const warnings = () => lineOf(api, 'traces cannot be sent');
  await until(() => warnings().length > 0, 'the warning');
  for (let round = 0; round < 3; round += 1) expect((await create()).status).toBe(201);
  const since = performance.now();
  expect(await Promise.all([api.stop(), sender.stop()])).toEqual([0, 0]);
  expect(performance.now() - since).toBeLessThan(10_000);
  expect(warnings()).toMatchObject([{ level: 'warn' }]);
});
