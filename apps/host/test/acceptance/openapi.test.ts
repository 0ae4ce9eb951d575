import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

/** Routes that others call. A new one is added here, so that it cannot be removed unnoticed. */
const publishedRoutes = [
  'GET /console/api/sign-in',
  'POST /console/api/sign-in',
  'GET /console/sign-in/callback',
  'POST /console/api/session',
  'DELETE /console/api/session',
  'POST /console/api/sign-in-link',
  'POST /v1/admin/sign-in-links',
  'GET /v1/admin/first-steps',
  'GET /v1/admin/overview',
  'GET /v1/admin/pools/{pool}/days/{date}',
  'PUT /v1/admin/pools/{pool}/days/{date}/bookings/{booking_id}/arrivals',
  'PUT /v1/admin/pools/{pool}/days/{date}/waivers/{id}/arrival',
  'PUT /v1/admin/pools/{pool}/waivers/{id}/booking',
  'DELETE /v1/admin/pools/{pool}/waivers/{id}/booking',
  'POST /v1/admin/pools/{pool}/check-in-links/find',
  'GET /v1/admin/pools/{pool}/kiosks',
  'POST /v1/admin/pools/{pool}/kiosks',
  'PATCH /v1/admin/pools/{pool}/kiosks/{id}',
  'POST /v1/admin/pools/{pool}/kiosks/{id}/pairing-code',
  'DELETE /v1/admin/pools/{pool}/kiosks/{id}',
  'POST /check-in/api/kiosk/pair',
  'POST /check-in/api/kiosk/signings',
  'PUT /check-in/api/kiosk/day',
  'GET /v1/admin/pools/{pool}/late-signings',
  'POST /v1/admin/pools/{pool}/late-signings/{id}/accept',
  'DELETE /v1/admin/pools/{pool}/late-signings/{id}',
  'POST /check-in/api/sealed-signings/{key}',
  'GET /v1/admin/pools/{pool}/unmatched-waivers',
  'POST /v1/admin/pools/{pool}/unmatched-waivers/{id}/attach',
  'DELETE /v1/admin/pools/{pool}/unmatched-waivers/{id}',
  'POST /check-in/api/returning/codes',
  'POST /check-in/api/returning/proofs',
  'POST /check-in/api/returning/people',
  'POST /check-in/api/returning/text',
  'POST /check-in/api/reuses',
  'GET /check-in/api/session',
  'POST /check-in/api/signings',
  'GET /copies/{token}',
  'GET /v1/pools/{pool}/waivers/{id}/document',
  'PUT /check-in/api/signings/{id}/page',
  'GET /v1/pools/{pool}/check-in-links',
  'POST /v1/pools/{pool}/check-in-links',
  'DELETE /v1/pools/{pool}/check-in-links/{id}',
  'GET /v1/pools/{pool}/waivers/{id}/evidence',
  'POST /v1/admin/pools/{pool}/bookings/{booking_id}/check-in-link',
  'POST /v1/admin/pools/{pool}/bookings/{booking_id}/invitations',
  'GET /v1/admin/pools/{pool}/invitations',
  'PUT /v1/admin/pools/{pool}/invitations',
  'POST /v1/admin/pools/{pool}/invitations/preview',
  'GET /v1/admin/pools/{pool}/invitations/sent',
  'GET /v1/admin/pools/{pool}/invitations/refusals',
  'DELETE /v1/admin/pools/{pool}/invitations/refusals/{id}',
  'GET /unsubscribe/{pool}/{token}',
  'POST /unsubscribe/{pool}/{token}',
  'GET /v1/admin/pools/{pool}/waivers/{id}/signing',
  'GET /v1/admin/pools/{pool}/forms',
  'POST /v1/admin/pools/{pool}/forms',
  'GET /v1/admin/pools/{pool}/forms/{form}',
  'DELETE /v1/admin/pools/{pool}/forms/{form}',
  'PUT /v1/admin/pools/{pool}/forms/{form}/draft',
  'POST /v1/admin/pools/{pool}/forms/{form}/publish',
  'GET /v1/admin/pools/{pool}/forms/{form}/versions',
  'GET /v1/admin/pools/{pool}/forms/{form}/versions/{version}',
  'GET /healthz',
  'GET /integration/authorize/{booking_system}',
  'POST /integration/install/{booking_system}',
  'POST /integration/uninstall/{booking_system}',
  'POST /integration/webhook/{booking_system}',
  'GET /metrics',
  'GET /readyz',
  'GET /v1/admin/alerts',
  'POST /v1/admin/alerts',
  'DELETE /v1/admin/alerts/{id}',
  'GET /v1/admin/alerts/{id}',
  'PATCH /v1/admin/alerts/{id}',
  'POST /v1/admin/alerts/{id}/test',
  'GET /v1/admin/sent-alerts',
  'GET /v1/admin/audit',
  'GET /v1/admin/audit/export',
  'GET /v1/admin/booking-systems',
  'GET /v1/admin/booking-systems/{booking_system}',
  'PUT /v1/admin/booking-systems/{booking_system}',
  'GET /v1/admin/booking-systems/{booking_system}/install-keys',
  'POST /v1/admin/booking-systems/{booking_system}/install-keys',
  'DELETE /v1/admin/booking-systems/{booking_system}/install-keys/{id}',
  'GET /v1/admin/credentials',
  'POST /v1/admin/credentials',
  'DELETE /v1/admin/credentials/{id}',
  'GET /v1/admin/deliveries',
  'POST /v1/admin/deliveries/recover',
  'GET /v1/admin/deliveries/{id}',
  'GET /v1/admin/deliveries/{id}/lane',
  'POST /v1/admin/deliveries/{id}/retry',
  'GET /v1/admin/destinations',
  'POST /v1/admin/destinations/{id}/pause',
  'POST /v1/admin/destinations/{id}/resume',
  'GET /v1/admin/me',
  'GET /v1/admin/sessions',
  'DELETE /v1/admin/sessions/{id}',
  'GET /v1/admin/pools',
  'GET /v1/admin/pools/{pool}',
  'PUT /v1/admin/pools/{pool}',
  'GET /v1/admin/pools/{pool}/access-tokens',
  'POST /v1/admin/pools/{pool}/access-tokens',
  'DELETE /v1/admin/pools/{pool}/access-tokens/{id}',
  'GET /v1/admin/pools/{pool}/erased-waivers',
  'GET /v1/admin/pools/{pool}/erasures',
  'POST /v1/admin/pools/{pool}/erasures',
  'GET /v1/admin/pools/{pool}/erasures/{id}',
  'GET /v1/admin/pools/{pool}/export',
  'PUT /v1/admin/pools/{pool}/waivers/{id}/hold',
  'DELETE /v1/admin/pools/{pool}/waivers/{id}/hold',
  'GET /v1/admin/pools/{pool}/installations',
  'POST /v1/admin/pools/{pool}/installations/{booking_system}/approve',
  'GET /v1/admin/pools/{pool}/installations/{booking_system}/check',
  'POST /v1/admin/pools/{pool}/installations/{booking_system}/check',
  'DELETE /v1/admin/pools/{pool}/installations/{booking_system}',
  'PATCH /v1/admin/pools/{pool}/installations/{booking_system}',
  'PUT /v1/admin/pools/{pool}/installations/{booking_system}',
  'POST /v1/admin/pools/{pool}/installations/{booking_system}/authorize',
  'POST /v1/admin/pools/{pool}/installations/{booking_system}/test',
  'GET /v1/admin/pools/{pool}/waivers/{id}/versions',
  'GET /v1/admin/pools/{pool}/webhooks',
  'POST /v1/admin/pools/{pool}/webhooks',
  'DELETE /v1/admin/pools/{pool}/webhooks/{id}',
  'GET /v1/admin/pools/{pool}/webhooks/{id}',
  'PATCH /v1/admin/pools/{pool}/webhooks/{id}',
  'POST /v1/admin/pools/{pool}/webhooks/{id}/rotate-secret',
  'POST /v1/admin/pools/{pool}/webhooks/{id}/test',
  'GET /v1/admin/recoveries/{id}',
  'GET /v1/pools/{pool}/bookings',
  'GET /v1/pools/{pool}/bookings/{booking_id}',
  'GET /v1/pools/{pool}/changes',
  'GET /v1/pools/{pool}/waivers',
  'POST /v1/pools/{pool}/waivers',
  'GET /v1/pools/{pool}/waivers/{id}',
  'PATCH /v1/pools/{pool}/waivers/{id}',
  'POST /v1/pools/{pool}/waivers/{id}/void',
  'DELETE /v1/pools/{pool}/waivers/{id}/copy',
];

let host: TestHost;
// biome-ignore format: one line
type Operation = { operationId?: string; tags?: string[]; security?: object[]; requestBody?: object; parameters?: ({ in: string; name: string } | { $ref: string })[]; responses: Record<string, object> };
let paths: Record<string, Record<string, Operation>>;
let document: Awaited<ReturnType<Response['json']>>;

beforeAll(async () => {
  host = await startTestHost();
  document = (await host.call('GET', '/openapi.json', undefined, { token: null })).body;
  paths = document.paths;
});
afterAll(() => host.close());

const operations = () =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

test('the document has exactly the published routes', () => {
  const listed = operations().map(({ path, method }) => `${method} ${path}`);
  expect(listed.toSorted(), 'add a new route to publishedRoutes').toEqual(publishedRoutes.toSorted());
});

test('every reference resolves, and every operation has a unique id', () => {
  const references = [...JSON.stringify(document).matchAll(/#\/components\/(\w+)\/([^"]+)/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, section = '', name = ''] of references) {
    expect(Object.keys(document.components[section])).toContain(name);
  }
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain(undefined);
});

test('it is OpenAPI 3.1 with the partners’ endpoints and the webhook', () => {
  expect(document.openapi).toMatch(/^3\.1/);
  expect(Object.keys(document.webhooks)).toEqual(['bookingDetails', 'guestUpdate', 'guestWebhook']);
  expect(document.components.schemas.WebhookGuest.required).toContain('reservationsID');
});

test('each operation has a tag, and no tag is empty', () => {
  const headings = document.tags.map(({ name }: { name: string }) => name).sort();
  const used = operations().flatMap(({ operation }) => operation.tags ?? []);
  expect([...new Set(used)].sort()).toEqual(headings);
  expect(headings).toEqual(expect.arrayContaining(['Bookings', 'Waivers']));
});

test('each schema appears once, under its own name', () => {
  const seen = new Map<string, string>();
  const twice: string[][] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { description: _, ...schema } = { description: '', ...value };
    if ('type' in schema && 'properties' in schema && Object.keys(Object(schema.properties)).length > 2) {
      const text = JSON.stringify(schema);
      const former = seen.get(text);
      if (former !== undefined) twice.push([former, at]);
      seen.set(text, at);
    }
    for (const [name, inner] of Object.entries(value)) look(inner, `${at}/${name}`);
  };
  look(document, '');
  expect(twice).toEqual([]);
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => name.endsWith('Input'))).toEqual([]);
  const references = JSON.stringify(document).match(/#\/components\/schemas\/[^"]+/g) ?? [];
  const referred = new Set(references.map((reference) => reference.split('/').at(-1)));
  expect(names.filter((name) => !referred.has(name))).toEqual([]);
});

test('a response or parameter of many operations appears once', () => {
  const inline = operations().flatMap(({ operation: { responses, parameters = [] } }) =>
    [...Object.values(responses), ...parameters].map((part) => JSON.stringify(part)),
  );
  const uses = Map.groupBy(
    inline.filter((text) => !text.startsWith('{"$ref"')),
    (text) => text,
  );
  expect([...uses].filter(([, { length }]) => length > 10)).toEqual([]);
});

test('the document is small enough to read', () => {
  expect(JSON.stringify(document).length).toBeLessThan(250_000);
});

describe('the root', () => {
  const ask = (accept: string) => fetch(host.url, { headers: { accept }, redirect: 'manual' });

  test('leads a browser to the console', async () => {
    const answer = await ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
      302,
      '/console/',
      'accept',
    ]);
  });

  test.each(['application/json', '*/*'])('points clients that accept %s to the documents', async (accept) => {
    const answer = await ask(accept);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        name: 'Waiver service',
        version: expect.stringMatching(/^\d/),
        docs: '/docs',
        openapi: '/openapi.json',
        console: '/console',
      },
    ]);
  });
});

test('each parameter in a path is described', () => {
  for (const { path, method, operation } of operations()) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = (operation.parameters ?? [])
      .map((one) => ('$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
      .filter((one) => one.in === 'path')
      .map(({ name }) => name);
    expect([method, path, described.sort()]).toEqual([method, path, named.sort()]);
  }
});

describe('the pages of the document', () => {
  test('are served with a policy that lets them load their own parts only', async () => {
    const page = await host.call('GET', '/docs', undefined, { token: null });
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    for (const [, address = ''] of String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)) {
      const part = new URL(address, `${host.url}/docs/`);
      expect([part.href, (await fetch(part)).status]).toEqual([part.href, 200]);
    }
    expect(page.body).not.toMatch(/<script>(?!<)/);
  });
});
