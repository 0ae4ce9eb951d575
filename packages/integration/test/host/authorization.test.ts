import { AuthorizationGrants } from '@waiver-service/simulator';
import { longTest, problem, startTestHost, until } from '@waiver-service/testing';
import {
  startTokenSystem,
  type TokenSystem,
  tokenAccount,
  tokenPlugin,
} from '@waiver-service/testing/tokens';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

const installation = '/v1/admin/pools/shore/installations/tokens';

const host = await startTestHost({
  plugins: [tokenPlugin('authorization-code')],
  settings: { trustProxy: 1 },
});
afterAll(() => host.close());
let system: TokenSystem;
let grants: AuthorizationGrants;
let accessToken: string;

/** Of the browser: wrong links are counted for each address. */
let browsers = 0;

beforeEach(async () => {
  browsers += 1;
  grants = new AuthorizationGrants(tokenAccount.accountId, `${host.url}/integration/authorize/tokens`);
  system = await startTokenSystem(grants);
  ({ accessToken } = await host.preparePool('shore', 'tokens'));
  await host.call('DELETE', installation);
  expect((await host.call('PUT', '/v1/admin/booking-systems/tokens', { baseUrl: system.url })).status).toBe(
    200,
  );
  expect((await host.call('PUT', installation, tokenAccount)).status).toBe(200);
});
afterEach(() => system.close());

const bookingId = () => system.bookings.all[0]?.id ?? '';
const read = () =>
  host.call('GET', `/v1/pools/shore/bookings/${bookingId()}`, undefined, { token: accessToken });

async function listed(): Promise<Record<string, unknown>> {
  const { body } = await host.call('GET', '/v1/admin/pools/shore/installations');
  return Object(body.items[0]);
}

/** The cookies of the operator's browser. */
let cookie: string;

/** The address to which the vendor sends the browser back, once the person has decided. */
async function visit(): Promise<URL> {
  const { status, body, headers } = await host.call('POST', `${installation}/authorize`);
  expect(status).toBe(200);
  cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(Date.parse(String(body.expiresAt))).toBeGreaterThan(Date.now());
  const page = await fetch(String(body.url), { redirect: 'manual' });
  return new URL(page.headers.get('location') ?? 'about:blank');
}

const refreshes = () =>
  system.received.filter(
    ({ route, body }) => route === 'token' && body.toString().includes('grant_type=refresh_token'),
  ).length;

async function open(address: URL | string, method = 'GET', headers: Record<string, string> = { cookie }) {
  const from = { 'x-forwarded-for': `203.0.113.${browsers}` };
  const page = await fetch(address, { method, headers: { ...from, ...headers } });
  return { status: page.status, headers: page.headers, text: await page.text() };
}

const withParameter = (address: URL, name: string, value: string) => {
  const changed = new URL(address);
  changed.searchParams.set(name, value);
  return changed;
};

test('until it is authorized, an installation needs attention, and messages to it wait', async () => {
  expect(await listed()).toMatchObject({
    status: 'needs_attention',
    attention: { reason: expect.stringContaining(`POST ${installation}/authorize`) },
  });
  expect(await read()).toMatchObject({
    status: 502,
    body: {
      code: 'booking_system_auth_rejected',
      message: expect.stringContaining(`POST ${installation}/authorize`),
    },
  });
  const waiver = { id: 'W-1', bookingId: bookingId(), answers: { name: 'Zoë' } };
  await host.call('POST', '/v1/pools/shore/waivers', waiver, { token: accessToken });

  const page = await open(await visit());
  expect(page).toMatchObject({
    status: 200,
    text: expect.stringContaining('Tokens has authorized this service'),
  });
  expect(await listed()).toMatchObject({ status: 'active' });
  expect(await listed()).not.toHaveProperty('attention');
  expect((await read()).status).toBe(200);
  await until(() => system.waivers.size === 1, 'the waiver');
});

test('the page is text under a policy that allows nothing, and the log has neither code nor state', async () => {
  const address = await visit();
  const { headers } = await open(address);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*sandbox$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const log = host.lines.join('');
  for (const name of ['code', 'state']) {
    const secret = address.searchParams.get(name) ?? '';
    expect(secret.length).toBeGreaterThan(20);
    expect(log).not.toContain(secret);
  }
});

test('a refresh token that rotates is used once, for many reads at once', async () => {
  await open(await visit());
  system.issued.revokeAll();
  const reads = await Promise.all([read(), read(), read(), read()]);
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(refreshes()).toBe(1);
});

longTest('each refresh uses the token that the one before brought', async () => {
  system.issued.lifetimeSeconds = 3;
  await open(await visit());
  for (let round = 1; round <= 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await read()).status).toBe(200);
    expect(refreshes()).toBe(round);
  }
});

test('an authorization that was withdrawn needs attention, and another visit mends it', async () => {
  await open(await visit());
  grants.revoke();
  system.issued.revokeAll();
  expect((await read()).body.message).toMatch(/invalid_grant.*authorize it at the address/);
  expect(await listed()).toMatchObject({ status: 'needs_attention' });
  expect(await open(await visit())).toMatchObject({ status: 200 });
  expect((await read()).status).toBe(200);
  expect(await listed()).toMatchObject({ status: 'active' });
});

test('installing again keeps the authorization', async () => {
  await open(await visit());
  const { status } = await host.call('PUT', installation, tokenAccount);
  expect(status).toBe(200);
  expect((await read()).status).toBe(200);
  expect(await listed()).toMatchObject({ status: 'active' });
});

test('a link that is opened in another browser than the one that made it connects no account', async () => {
  const { headers } = await host.call('POST', `${installation}/authorize`);
  expect(headers.getSetCookie()[0]).toMatch(
    /^waiver_service_authorization=[\w-]{43};.*Max-Age=(?:900|8\d\d);.*HttpOnly.*SameSite=Lax/i,
  );
  const address = await visit();
  for (const other of [
    '',
    `waiver_service_authorization=${'x'.repeat(43)}`,
    'waiver_service_authorization=x',
  ])
    expect((await open(address, 'GET', other === '' ? {} : { cookie: other })).status).toBe(400);
  expect(await listed()).toMatchObject({ status: 'needs_attention' });
  expect((await open(address)).status, 'the visit itself is still valid').toBe(200);
});

test('one browser authorizes several installations side by side', async () => {
  await host.preparePool('river', 'tokens');
  const other = installation.replace('shore', 'river');
  await host.call('PUT', other, tokenAccount);
  const first = await visit();
  const { body, headers } = await host.call('POST', `${other}/authorize`, undefined, { headers: { cookie } });
  expect(headers.getSetCookie()[0]?.split(';')[0]).toBe(cookie);
  const page = await fetch(String(body.url), { redirect: 'manual' });
  expect((await open(page.headers.get('location') ?? '')).status).toBe(200);
  expect((await open(first)).status).toBe(200);
  await host.call('DELETE', other);
});

describe('a link', () => {
  const tokenRequests = () => system.received.filter(({ route }) => route === 'token').length;

  test('is valid once', async () => {
    const address = await visit();
    expect((await open(address, 'HEAD')).status).toBe(405);
    expect((await open(address)).status).toBe(200);
    expect(await open(address)).toMatchObject({
      status: 400,
      text: expect.stringContaining('This link is not valid'),
    });
    expect(tokenRequests()).toBe(1);
  });

  test('of another state or booking system, or with too long a parameter, leads to no request', async () => {
    const address = await visit();
    for (const [name, value] of [
      ['state', 'another'],
      ['state', 's'.repeat(513)],
      ['code', 'c'.repeat(4097)],
    ] as const) {
      expect((await open(withParameter(address, name, value))).status).toBe(400);
    }
    expect((await open(address.href.replace('/tokens?', '/unknown?'))).status).toBe(404);
    expect(tokenRequests()).toBe(0);
    expect((await open(address)).status, 'the visit itself is still valid').toBe(200);
  });

  test('is refused after many wrong ones from an address', async () => {
    const address = `${host.url}/integration/authorize/tokens?code=c&state=wrong`;
    const statuses: number[] = [];
    for (let place = 0; place < 12; place += 1) statuses.push((await open(address)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await open(await visit())).status).toBe(200);
  });
});

describe('what the vendor says instead of a code', () => {
  test('is shown as text, and changes nothing', async () => {
    grants.refusal = { error: 'access_denied', error_description: '<script>alert("no")</script>' };
    const page = await open(await visit());
    expect(page.status).toBe(400);
    expect(page.text).toContain('access_denied: &lt;script&gt;alert(&quot;no&quot;)&lt;/script&gt;');
    expect(page.text).not.toContain('<script');
    expect(await listed()).toMatchObject({ status: 'needs_attention' });
  });

  test('or instead of a token, too, without its secrets', async () => {
    const address = await visit();
    const page = await open(withParameter(address, 'code', 'a-code-that-was-never-issued'));
    expect(page.status).toBe(502);
    expect(page.text).toContain('invalid_grant');
    expect(page.text).not.toContain('never-issued');
    expect(page.text).not.toContain(tokenAccount.apiKey);
    expect(await listed()).toMatchObject({ status: 'needs_attention' });
  });
});

test('a booking system that needs no authorization, or is not installed, says so', async () => {
  const other = await startTestHost({ plugins: [tokenPlugin()] });
  try {
    await other.preparePool('shore', 'tokens');
    const authorize = () => other.call('POST', `${installation}/authorize`);
    expect(await authorize()).toMatchObject(problem(404, 'not_installed'));
    await other.call('PUT', '/v1/admin/booking-systems/tokens', { baseUrl: system.url });
    await other.call('PUT', installation, tokenAccount);
    expect(await authorize()).toMatchObject(problem(409, 'needs_no_authorization'));
  } finally {
    await other.close();
  }
});
