import { adminToken, type TestHost } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPeopleHost } from '../setup/people-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startPeopleHost({ settings: { baseUrl: 'https://waivers.example' } });
});
afterAll(() => host.close());

const url = '/console/api/session';
const asConsole = { 'x-waiver-console': '1' };
const signIn = (body: unknown) => host.call('POST', url, body, { token: null });
const cookieOf = ({ headers }: { readonly headers: Headers }) =>
  headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function sessionCookie(token = adminToken): Promise<string> {
  const answer = await signIn({ token });
  expect(answer.status).toBe(204);
  return cookieOf(answer);
}

const me = (cookie: string, headers: Readonly<Record<string, string>> = asConsole, on = host) =>
  on.call('GET', '/v1/admin/me', undefined, { token: null, headers: { cookie, ...headers } });

test('signing in sets a cookie that no script reads and that only this site sends', async () => {
  const answer = await signIn({ token: adminToken });
  expect(answer.status).toBe(204);
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-waiver_service_session=wss_/);
  expect(cookie).toContain('HttpOnly');
  expect(cookie).toContain('Secure');
  expect(cookie).toContain('SameSite=Strict');
  expect((await me(cookieOf(answer))).body).toEqual({ name: 'admin', role: 'owner', pools: null });
});

test('the cookie opens nothing without the console’s header, nor for another site', async () => {
  const cookie = await sessionCookie();
  expect((await me(cookie, {})).status).toBe(401);
  expect((await me(cookie, { ...asConsole, 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  expect((await me(cookie, { ...asConsole, 'sec-fetch-site': 'same-site' })).status).toBe(401);
  expect((await me(cookie, { ...asConsole, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('over https, the cookie that another host of the domain could set opens nothing', async () => {
  const cookie = await sessionCookie();
  expect((await me(cookie.replace('__Host-', ''))).status).toBe(401);
});

test('a page of another origin may not ask for the header: no preflight is answered', async () => {
  const answer = await host.call('OPTIONS', '/v1/admin/me', undefined, {
    token: null,
    headers: {
      origin: 'https://attacker.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-waiver-console',
    },
  });
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('a session has the role of its credential, and ends with it', async () => {
  const created = await host.call('POST', '/v1/admin/credentials', { name: 'Mia', role: 'viewer' });
  const cookie = await sessionCookie(String(created.body.token));
  expect((await me(cookie)).body).toEqual({ name: 'Mia', role: 'viewer', pools: null });
  const put = await host.call(
    'PUT',
    '/v1/admin/pools/p1',
    { name: 'P1' },
    { token: null, headers: { cookie, ...asConsole } },
  );
  expect(put.status).toBe(403);
  await host.call('DELETE', `/v1/admin/credentials/${created.body.id}`);
  expect((await me(cookie)).status).toBe(401);
});

test('signing out ends the session, not only the cookie', async () => {
  const cookie = await sessionCookie();
  const answer = await host.call('DELETE', url, undefined, {
    token: null,
    headers: { cookie, ...asConsole },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^__Host-waiver_service_session=;.*Expires=Thu, 01 Jan 1970/,
  );
  expect((await me(cookie)).status).toBe(401);
});

test('the audit log says who signed in, by which way, and who signed out', async () => {
  const created = await host.call('POST', '/v1/admin/credentials', { name: 'Noor', role: 'operator' });
  const link = await host.call('POST', '/v1/admin/sign-in-links', {}, { token: String(created.body.token) });
  const code = new URL(String(link.body.url)).hash.replace('#code=', '');
  const cookie = cookieOf(await signIn({ code }));
  await host.call('DELETE', url, undefined, { token: null, headers: { cookie, ...asConsole } });
  const { body } = await host.call('GET', `/v1/admin/audit?actor=credential:${created.body.id}`);
  expect(body.items.map(({ action, actorName }: Record<string, unknown>) => [action, actorName])).toEqual([
    ['sign-out', 'Noor'],
    ['sign-in', 'Noor'],
    ['sign-in-link.create', 'Noor'],
  ]);
});

test('a sign-in link works once, and stays out of logs', async () => {
  const link = await host.call('POST', '/v1/admin/sign-in-links', {});
  const { hash, pathname } = new URL(String(link.body.url));
  expect(pathname).toBe('/console/');
  const code = hash.replace('#code=', '');
  const first = await signIn({ code });
  expect(first.status).toBe(204);
  expect((await me(cookieOf(first))).status).toBe(200);
  const second = await signIn({ code });
  expect(second).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(host.lines.join('')).not.toContain(code);
});

describe('a sign-in link', () => {
  const linkOf = async (token = adminToken) => {
    const link = await host.call('POST', '/v1/admin/sign-in-links', {}, { token });
    return new URL(String(link.body.url)).hash.replace('#code=', '');
  };
  const preview = (code: string, on = host) =>
    on.call('POST', '/console/api/sign-in-link', { code }, { token: null });
  const refusals = async () => {
    const { body } = await host.call('GET', '/v1/admin/audit?action=sign-in.refuse');
    return body.items.length;
  };

  test('says whom it would sign in, and is not used up by this', async () => {
    const created = await host.call('POST', '/v1/admin/credentials', { name: 'Lin', role: 'operator' });
    const code = await linkOf(String(created.body.token));
    for (let times = 0; times < 2; times += 1)
      expect(await preview(code)).toMatchObject({ status: 200, body: { name: 'Lin', role: 'operator' } });
    expect((await preview(await linkOf())).body).toEqual({ name: 'admin', role: 'owner' });
    expect((await signIn({ code })).status).toBe(204);
    expect((await preview(code)).status).toBe(401);
    const next = await linkOf(String(created.body.token));
    await host.call('DELETE', `/v1/admin/credentials/${created.body.id}`);
    expect((await preview(next)).status).toBe(401);
  });

  test('ends the session that the browser had', async () => {
    const created = await host.call('POST', '/v1/admin/credentials', { name: 'Former', role: 'viewer' });
    const cookie = await sessionCookie(String(created.body.token));
    const other = await sessionCookie(String(created.body.token));
    const code = await linkOf();
    const headers = { cookie, ...asConsole };
    const answer = await host.call('POST', url, { code }, { token: null, headers });
    expect((await me(cookieOf(answer))).body).toMatchObject({ name: 'admin' });
    expect((await me(cookie)).status).toBe(401);
    expect((await me(other)).status).toBe(200);
    const { body } = await host.call('GET', `/v1/admin/audit?actor=credential:${created.body.id}`);
    expect(body.items[0]).toMatchObject({ action: 'sign-out', actorName: 'Former' });
  });

  test('whose code is wrong or was used is in the audit log, and counted', async () => {
    const code = await linkOf();
    await signIn({ code });
    const from = (address: string) => ({ token: null, headers: { 'x-forwarded-for': address } });
    const proxied = await startPeopleHost({ settings: { trustProxy: 1 }, database: host });
    try {
      const before = await refusals();
      expect((await proxied.call('POST', url, { code }, from('203.0.113.1'))).status).toBe(401);
      const wrong = { code: 'wsl_wrong' };
      expect(
        (await proxied.call('POST', '/console/api/sign-in-link', wrong, from('203.0.113.200'))).status,
      ).toBe(401);
      await expect.poll(refusals).toBe(before + 2);
      const statuses = new Set<number>();
      for (let count = 0; count < 110; count += 1)
        statuses.add((await proxied.call('POST', url, { code: `wsl_${count}` }, from('203.0.113.3'))).status);
      expect([...statuses]).toEqual([401, 429]);
    } finally {
      await proxied.close();
    }
  });
});

describe('refused', () => {
  test.each([
    ['a wrong token', { token: 'wrong' }, 401],
    ['a wrong code', { code: 'wsl_wrong' }, 401],
    ['neither', {}, 400],
    ['both', { token: 'a', code: 'b' }, 400],
    ['a token that is no text', { token: 7 }, 400],
    ['a token that is too long', { token: 'x'.repeat(1025) }, 400],
    ['a body that is too long', { token: 'x'.repeat(5000) }, 413],
  ])('%s', async (_name, body, status) => {
    const answer = await signIn(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('the access token of a waiver app', async () => {
    const { accessToken } = await host.preparePool('p2');
    expect(await signIn({ token: accessToken })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

test('sessions of the admin token end when it is replaced; those of credentials stay', async () => {
  const created = await host.call('POST', '/v1/admin/credentials', { name: 'Ida', role: 'viewer' });
  const [admin, ida] = [await sessionCookie(), await sessionCookie(String(created.body.token))];
  const link = await host.call('POST', '/v1/admin/sign-in-links', {});
  const code = new URL(String(link.body.url)).hash.replace('#code=', '');
  const shared = { database: host, settings: { baseUrl: 'https://waivers.example' } };
  const same = await startPeopleHost(shared);
  const other = await startPeopleHost({ ...shared, admin: 'another-admin-token-of-the-tests' });
  try {
    expect((await me(admin, asConsole, same)).status).toBe(200);
    expect((await me(admin, asConsole, other)).status).toBe(401);
    expect((await me(admin.replace(/\..*/, ''), asConsole, other)).status).toBe(401);
    expect((await me(ida, asConsole, other)).body).toMatchObject({ name: 'Ida', role: 'viewer' });
    expect(await other.call('POST', url, { code }, { token: null })).toMatchObject({ status: 401 });
  } finally {
    await other.close();
    await same.close();
  }
});
