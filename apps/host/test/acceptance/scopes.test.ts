import { documentedOperations, filledPath, type TestCaller, textAt } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const scopes = ['bookings:read', 'waivers:write', 'waivers:read', 'waivers:list', 'check-in:write'] as const;
type Scope = (typeof scopes)[number];

/** Every route of a waiver app. */
const scopeOf: Readonly<Record<string, Scope>> = {
  'GET /v1/pools/{pool}/bookings': 'bookings:read',
  'GET /v1/pools/{pool}/bookings/{booking_id}': 'bookings:read',
  'GET /v1/pools/{pool}/changes': 'waivers:list',
  'GET /v1/pools/{pool}/waivers': 'waivers:list',
  'POST /v1/pools/{pool}/waivers': 'waivers:write',
  'GET /v1/pools/{pool}/waivers/{id}': 'waivers:read',
  'PATCH /v1/pools/{pool}/waivers/{id}': 'waivers:write',
  'POST /v1/pools/{pool}/waivers/{id}/void': 'waivers:write',
  'DELETE /v1/pools/{pool}/waivers/{id}/copy': 'waivers:write',
  'GET /v1/pools/{pool}/waivers/{id}/document': 'waivers:read',
  'GET /v1/pools/{pool}/waivers/{id}/evidence': 'waivers:read',
  'GET /v1/pools/{pool}/check-in-links': 'check-in:write',
  'POST /v1/pools/{pool}/check-in-links': 'check-in:write',
  'DELETE /v1/pools/{pool}/check-in-links/{id}': 'check-in:write',
};

let host: TestHost;
const tokens = '/v1/admin/pools/mine/access-tokens';
const waivers = '/v1/pools/mine/waivers';

beforeAll(async () => {
  host = await startTestHost({ ROLE: 'api' });
  await host.makePool('mine');
});
afterAll(() => host?.close());

async function appWith(settings: Readonly<Record<string, unknown>>): Promise<TestCaller> {
  const { status, body } = await host.admin('POST', tokens, settings);
  expect(status).toBe(201);
  return host.as(textAt(body, 'token'));
}

test.each(scopes)('a token with the scope %s opens only the routes of that scope', async (scope) => {
  const app = await appWith({ scopes: [scope] });
  const operations = await documentedOperations(host.url);
  for (const { method, path } of operations.filter((one) => one.path.startsWith('/v1/pools/'))) {
    const address = filledPath(path, { pool: 'mine', bookingSystem: 'standard', other: 'x' });
    const { status, body } = await app(method, address, method === 'GET' ? undefined : '{');
    const route = `${method} ${path}`;
    expect(Object.keys(scopeOf), 'say here which scope the route takes').toContain(route);
    const isOpen = scopeOf[route] === scope;
    expect([route, status === 403, body.code === 'scope_missing']).toEqual([route, !isOpen, !isOpen]);
    if (!isOpen)
      expect(body.message).toBe(`This takes the scope ${scopeOf[route]}; the access token has ${scope}.`);
  }
});

test('the pool is checked before the scope', async () => {
  await host.makePool('theirs');
  const app = await appWith({ scopes: ['waivers:read'] });
  expect(await app('GET', '/v1/pools/theirs/waivers')).toMatchObject({ body: { code: 'forbidden' } });
});

test('a token that may only write sees no answers but those that it has just sent', async () => {
  const form = await appWith({ scopes: ['waivers:write'] });
  const staff = await appWith({});
  const answers = { name: 'Ada' };
  expect(await form('POST', waivers, { id: 'W-1', answers })).toMatchObject({
    status: 201,
    body: { answers },
  });
  const changed = { ...answers, email: 'ada@example.com' };
  expect(await staff('PATCH', `${waivers}/W-1`, { answers: changed })).toMatchObject({
    body: { answers: changed },
  });
  for (const [method, path, body, status] of [
    ['POST', waivers, { id: 'W-1', answers }, 200],
    ['PATCH', `${waivers}/W-1`, {}, 200],
    ['POST', `${waivers}/W-1/void`, undefined, 200],
  ] as const) {
    const answer = await form(method, path, body);
    expect(answer).toMatchObject({ status, body: { id: 'W-1', answers: null, redacted: true } });
    expect(answer.text).not.toContain('Ada');
  }
  expect((await staff('GET', `${waivers}/W-1`)).body).not.toHaveProperty('redacted');
});

describe('a token', () => {
  test('has a name, scopes and an end, and without them everything for good', async () => {
    const expiresAt = '2190-01-01T00:00:00.000Z';
    const settings = { name: 'kiosk', scopes: ['waivers:write', 'waivers:write'], expiresAt };
    const named = textAt((await host.admin('POST', tokens, settings)).body, 'id');
    const plain = textAt((await host.admin('POST', tokens)).body, 'id');
    const { items } = (await host.admin('GET', `${tokens}?limit=100`)).body;
    const shown = (wanted: string) => items.find(({ id }: { id: string }) => id === wanted);
    expect(shown(named)).toMatchObject({ name: 'kiosk', scopes: ['waivers:write'], expiresAt });
    expect(shown(plain)).toMatchObject({ name: null, scopes, expiresAt: null });
  });

  test.each([
    ['an unknown scope', { scopes: ['waivers:delete'] }, 'scopes[0]'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['too many scopes', { scopes: Array(6).fill('waivers:read') }, 'scopes'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a long name', { name: 'n'.repeat(201) }, 'name'],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an unknown field', { scope: 'waivers:read' }, 'scope'],
    ['a list', [], ''],
  ])('with %s is refused', async (_what, body, path) => {
    expect(await host.admin('POST', tokens, body)).toMatchObject({
      status: 400,
      body: { code: 'malformed', errors: [{ path }] },
    });
  });
});
