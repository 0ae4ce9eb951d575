import { adminToken, type TestHost, until } from '@waiver-service/testing';
import {
  anotherOf,
  clientId,
  clientSecret,
  type Issuer,
  signInAtIssuer,
  startIssuer,
} from '@waiver-service/testing/issuer';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type SignInIssuer, signInRolesSchema } from '../../src/sign-in/sign-in-settings.ts';
import { type PeopleHostOptions, startPeopleHost } from '../setup/people-host.ts';

const baseUrl = 'https://waivers.example';
const callback = `${baseUrl}/console/sign-in/callback`;
const roles = {
  claim: 'groups',
  scopes: ['groups'],
  values: {
    'waiver-admins': { role: 'owner' },
    'front-desk': { role: 'operator', pools: ['rafting'] },
  },
};

const rolesOf = (given: object) => signInRolesSchema.parse(JSON.stringify(given));

let issuer: Issuer;
let host: TestHost;
let options: PeopleHostOptions & { readonly issuer: SignInIssuer };

beforeAll(async () => {
  issuer = await startIssuer([callback]);
  options = {
    settings: { baseUrl },
    issuer: { issuer: issuer.url, clientId, clientSecret, roles: rolesOf(roles) },
  };
  host = await startPeopleHost(options);
  options = { ...options, database: host };
});
afterEach(() => issuer.instead.clear());
afterAll(async () => {
  await host.close();
  await issuer.close();
});

const asConsole = { 'x-waiver-console': '1' };
const cookieOf = ({ headers }: { readonly headers: Headers }, name: string) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`__Host-waiver_service_${name}=`))
    ?.split(';')[0] ?? '';

const begin = (body: object = {}, on = host, headers: Readonly<Record<string, string>> = asConsole) =>
  on.call('POST', '/console/api/sign-in', body, { token: null, headers });

/** A visit that has begun: the issuer's address and the browser's cookie. */
async function visit(body: object = {}, on = host) {
  const answer = await begin(body, on);
  expect(answer.status).toBe(200);
  const { searchParams } = new URL(answer.body.url);
  const [state, nonce] = [searchParams.get('state') ?? '', searchParams.get('nonce') ?? ''];
  return { url: String(answer.body.url), state, nonce, cookie: cookieOf(answer, 'sign_in'), answer };
}

/** The browser comes back. Redirects are not followed. */
async function comeBack(address: string, cookie: string, on = host) {
  const { pathname, search } = new URL(address);
  const response = await fetch(`${on.url}${pathname}${search}`, { headers: { cookie }, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const backWith = (parameters: Readonly<Record<string, string>>) =>
  `${callback}?${new URLSearchParams({ code: 'any', iss: issuer.url, ...parameters })}`;

/** The whole way of an account, through the issuer's pages. */
async function signIn(login: string, on = host) {
  const { url, cookie } = await visit({}, on);
  const address = await signInAtIssuer(issuer, url, login);
  return { ...(await comeBack(address, cookie, on)), address, cookie };
}

const me = (cookie: string, on = host) =>
  on.call('GET', '/v1/admin/me', undefined, { token: null, headers: { cookie, ...asConsole } });

const entriesOf = async (query: string) =>
  (await host.call('GET', `/v1/admin/audit?${query}`)).body.items as Record<string, unknown>[];

describe('an account with a role', () => {
  test('signs in through the issuer’s own pages, and comes back to another host of the fleet', async () => {
    const other = await startPeopleHost(options);
    try {
      const begun = await visit({ landing: '/console/deliveries?state=dead' });
      const address = await signInAtIssuer(issuer, begun.url, 'mia');
      const back = await comeBack(address, begun.cookie, other);
      expect(back.status).toBe(303);
      expect(back.headers.get('location')).toBe('/console/deliveries?state=dead');
      const session = cookieOf(back, 'session');
      const who = { name: 'Mia Example <mia@example.com>', role: 'owner', pools: null };
      expect((await me(session)).body).toEqual(who);
      expect((await me(session, other)).body).toEqual(who);
    } finally {
      await other.close();
    }
  });

  test('has the role and the pools of its value, whatever other values it has', async () => {
    const back = await signIn('ove');
    expect((await me(cookieOf(back, 'session'))).body).toEqual({
      name: 'Ove Example <ove@example.com>',
      role: 'operator',
      pools: ['rafting'],
    });
  });

  test('is in the audit log by its name, its address and its id, when it signs in, acts and signs out', async () => {
    const headers = { cookie: cookieOf(await signIn('mia'), 'session'), ...asConsole };
    await host.call('PUT', '/v1/admin/pools/diving', { name: 'Diving' }, { token: null, headers });
    await host.call('DELETE', '/console/api/session', undefined, { token: null, headers });
    expect((await me(headers.cookie)).status).toBe(401);
    const [out, put, entered] = await entriesOf('actor=oidc:mia');
    expect([out?.action, put?.action, entered?.action]).toEqual(['sign-out', 'pool.put', 'sign-in']);
    expect(entered?.actorName).toBe('Mia Example <mia@example.com>');
  });

  test('makes no link that signs others in', async () => {
    const headers = { cookie: cookieOf(await signIn('mia'), 'session'), ...asConsole };
    const answer = await host.call('POST', '/v1/admin/sign-in-links', {}, { token: null, headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('has a new session, in a cookie of this site only', async () => {
    const given = 'wss_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
    const { url, cookie } = await visit();
    const address = await signInAtIssuer(issuer, url, 'mia');
    const back = await comeBack(address, `${cookie}; __Host-waiver_service_session=${given}`);
    const [session = ''] = back.headers.getSetCookie().filter((one) => one.includes('_session='));
    expect(session).toMatch(/HttpOnly.*Secure.*SameSite=Strict/);
    expect(session).not.toContain(given);
    expect((await me(`__Host-waiver_service_session=${given}`)).status).toBe(401);
  });
});

test('an address counts as verified only where the issuer says so of this address', async () => {
  const byEmail = { claim: 'email', scopes: [], values: { 'mia@example.com': { role: 'owner' } } };
  const other = await startPeopleHost({
    ...options,
    issuer: { ...options.issuer, roles: rolesOf(byEmail) },
  });
  try {
    const statusWith = async (email: string) => {
      const { state, nonce, cookie } = await visit({}, other);
      issuer.giveToken(issuer.idToken({ nonce, email: 'mia@example.com', email_verified: undefined }));
      issuer.instead.set('/me', (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ sub: 'mia', email, email_verified: true }));
      });
      return (await comeBack(backWith({ state }), cookie, other)).status;
    };
    // Who may choose the address in the ID token, as in some tenants of large issuers, is nobody else by it.
    expect(await statusWith('mallory@example.com')).toBe(403);
    expect(await statusWith('Mia@Example.com')).toBe(303);
  } finally {
    await other.close();
  }
});

test('an account without a role gets a page that says so, and no session', async () => {
  const back = await signIn('eve');
  expect(back.status).toBe(403);
  expect(back.headers.get('content-security-policy')).toContain("default-src 'none'");
  const rule = 'and its value has none here';
  expect(back.text).toContain('this account has no role in this service: roles are given by the claim');
  expect(back.text).toContain(rule);
  expect(
    host.lines.some((line) => line.includes(`a sign-in was refused: roles are`) && line.includes(rule)),
  ).toBe(true);
  expect(back.text).toContain('Eve &lt;b&gt;Example&lt;/b&gt;');
  expect(cookieOf(back, 'session')).toBe('');
  await until(async () => (await entriesOf('actor=oidc:eve')).length === 1, 'the entry of the refusal');
  expect((await entriesOf('actor=oidc:eve'))[0]).toMatchObject({ action: 'sign-in.refuse', status: 403 });
});

describe('a sign-in begins', () => {
  test('only from the console’s page', async () => {
    for (const headers of [{}, { ...asConsole, 'sec-fetch-site': 'cross-site' }]) {
      const answer = await begin({}, host, headers);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('with a new state, nonce and challenge, in an encrypted cookie', async () => {
    const [one, other] = [await visit(), await visit()];
    const { searchParams } = new URL(one.url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('scope')).toBe('openid profile email groups');
    expect(searchParams.get('redirect_uri')).toBe(callback);
    expect([one.state, one.nonce]).not.toEqual([other.state, other.nonce]);
    const [cookie = ''] = one.answer.headers.getSetCookie();
    expect(cookie).toMatch(/Max-Age=600;.*HttpOnly.*Secure.*SameSite=Lax/);
    expect(Buffer.from(cookie, 'base64').toString('latin1')).not.toContain(one.nonce);
    expect(cookie).not.toContain(one.state);
  });

  test.each([
    ['/console/waivers?pool=a#x', '/console/waivers?pool=a'],
    ['https://attacker.example/console/', '/console/'],
    ['//attacker.example/console/', '/console/'],
    ['/\\attacker.example/console/', '/console/'],
    ['/console/..//attacker.example/', '/console/'],
    ['/console/%2e%2e//attacker.example', '/console/'],
    ['javascript:alert(1)', '/console/'],
    ['/docs', '/console/'],
    ['/console/\n/x', '/console//x'],
    [`/console/${'é'.repeat(400)}`, '/console/'],
  ])('and comes back to the page %j as %j', async (landing, expected) => {
    const { state, nonce, cookie } = await visit({ landing });
    issuer.giveToken(issuer.idToken({ nonce }));
    const back = await comeBack(backWith({ state }), cookie);
    expect([back.status, back.headers.get('location')]).toEqual([303, expected]);
  });

  test('not with a page that is too long, or with unknown parameters', async () => {
    expect((await begin({ landing: `/console/${'x'.repeat(2048)}` })).status).toBe(400);
    expect((await begin({ issuer: 'https://attacker.example' })).status).toBe(400);
    expect((await begin({ landing: 'x'.repeat(5000) })).status).toBe(413);
  });
});

describe('a return is refused', () => {
  const expectRefused = (back: Awaited<ReturnType<typeof comeBack>>, status: number, sentence: string) => {
    expect([back.status, back.text]).toEqual([status, expect.stringContaining(sentence)]);
    expect(back.headers.get('content-type')).toContain('text/html');
    expect(cookieOf(back, 'session')).toBe('');
  };

  test('in another browser: a link signs no one in as another person', async () => {
    const begun = await visit();
    const address = await signInAtIssuer(issuer, begun.url, 'mia');
    expectRefused(await comeBack(address, ''), 400, 'began in another browser');
    const victim = await visit();
    expectRefused(await comeBack(address, victim.cookie), 400, 'not valid any more');
    // Neither has used up anything.
    expect((await comeBack(address, begun.cookie)).status).toBe(303);
  });

  test('a second time', async () => {
    const { state, nonce, cookie } = await visit();
    issuer.giveToken(issuer.idToken({ nonce }));
    const answers = await Promise.all([1, 2, 3].map(() => comeBack(backWith({ state }), cookie)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });

  test('with a code that was exchanged before', async () => {
    const first = await signIn('mia');
    const code = new URL(first.address).searchParams.get('code') ?? '';
    const { state, cookie } = await visit();
    expectRefused(await comeBack(backWith({ state, code }), cookie), 502, 'did not confirm this sign-in');
  });

  test('with a cookie that somebody has changed', async () => {
    const { state, cookie } = await visit();
    const changed = `${cookie.slice(0, -8)}AAAA${cookie.slice(-4)}`;
    expectRefused(await comeBack(backWith({ state }), changed), 400, 'not valid any more');
    const madeUp = '__Host-waiver_service_sign_in=v1%3Atest%3AAAAA';
    expectRefused(await comeBack(backWith({ state }), madeUp), 400, 'not valid any more');
  });

  test('without a state, with one that is too long, and by HEAD', async () => {
    const { cookie } = await visit();
    expectRefused(await comeBack(`${callback}?code=x`, cookie), 400, 'not valid any more');
    expectRefused(await comeBack(callback, cookie), 400, 'not valid any more');
    expect((await comeBack(backWith({ state: 'x'.repeat(513) }), cookie)).status).toBe(400);
    expect((await fetch(`${host.url}/console/sign-in/callback`, { method: 'HEAD' })).status).not.toBe(303);
  });

  test('from another issuer, in the address that the browser comes back to', async () => {
    const { state, nonce, cookie } = await visit();
    issuer.giveToken(issuer.idToken({ nonce }));
    const before = issuer.paths.length;
    const address = backWith({ state, iss: 'https://attacker.example' });
    expectRefused(await comeBack(address, cookie), 502, 'cannot trust');
    expect(issuer.paths.length).toBe(before);
  });

  test('because the person or the issuer refused', async () => {
    const { state, cookie } = await visit();
    const address = `${callback}?${new URLSearchParams({ error: 'access_denied', state, iss: issuer.url })}`;
    expectRefused(await comeBack(address, cookie), 403, 'did not let you in');
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  test.each<[string, (nonce: string) => string]>([
    ['of another issuer', (nonce) => issuer.idToken({ nonce, iss: 'https://attacker.example' })],
    ['for another service', (nonce) => issuer.idToken({ nonce, aud: 'another' })],
    ['of another sign-in', () => issuer.idToken({ nonce: 'another' })],
    ['without a nonce', () => issuer.idToken({})],
    ['of tomorrow', (nonce) => issuer.idToken({ nonce, iat: seconds() + 86_400, exp: seconds() + 90_000 })],
    ['that is over', (nonce) => issuer.idToken({ nonce, exp: seconds() - 120 })],
    ['that is not valid yet', (nonce) => issuer.idToken({ nonce, nbf: seconds() + 120 })],
    ['by another key', (nonce) => issuer.idToken({ nonce }, { key: issuer.anotherKey })],
    [
      'by no key',
      (nonce) => `${issuer.idToken({ nonce }, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`,
    ],
    ['by the secret as a key', (nonce) => issuer.idToken({ nonce }, { alg: 'HS256' })],
    ['with other words than were signed', (nonce) => anotherOf(issuer.idToken({ nonce, sub: 'eve' }))],
    ['without a subject', (nonce) => issuer.idToken({ nonce, sub: '' })],
    ['of a subject no log should have', (nonce) => issuer.idToken({ nonce, sub: 'a\u0000b' })],
    ['that is none', () => 'no-token'],
  ])('with a token %s', async (_name, tokenFor) => {
    const { state, nonce, cookie } = await visit();
    issuer.giveToken(tokenFor(nonce));
    expectRefused(await comeBack(backWith({ state }), cookie), 502, 'cannot trust');
  });

  test('but not a token by a clock that is a minute off', async () => {
    for (const claims of [{ exp: seconds() - 30 }, { nbf: seconds() + 30, iat: seconds() + 30 }]) {
      const { state, nonce, cookie } = await visit();
      issuer.giveToken(issuer.idToken({ nonce, ...claims }));
      expect((await comeBack(backWith({ state }), cookie)).status).toBe(303);
    }
  });

  test.each<[string, number, string, () => void]>([
    [
      'another error',
      503,
      'does not answer',
      () => issuer.instead.set('/token', (_request, response) => response.writeHead(500).end()),
    ],
    [
      'no token',
      502,
      'cannot trust',
      () =>
        issuer.instead.set('/token', (_request, response) =>
          response.setHeader('content-type', 'application/json').end('{}'),
        ),
    ],
  ])('when the issuer answers %s', async (_name, status, sentence, answer) => {
    const { state, cookie } = await visit();
    answer();
    expectRefused(await comeBack(backWith({ state }), cookie), status, sentence);
  });
});

describe('an issuer', () => {
  const beginOn = async (changed: Partial<PeopleHostOptions>) => {
    const other = await startPeopleHost({ ...options, ...changed });
    try {
      const answer = await begin({}, other);
      return { ...answer, lines: other.lines.join('') };
    } finally {
      await other.close();
    }
  };
  const discovery = '/.well-known/openid-configuration';

  test('that is down breaks no other page and delays none', async () => {
    const answer = await beginOn({ issuer: { ...options.issuer, issuer: 'http://127.0.0.1:1' } });
    expect(answer).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } });
    expect(answer.body.message).toContain('127.0.0.1:1 does not answer');
    expect(answer.lines).toContain('does not accept connections');
  });

  test('in an address that may not be called is not called', async () => {
    const before = issuer.paths.length;
    const answer = await beginOn({ settings: { baseUrl, outboundAllow: [] } });
    expect(answer).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } });
    expect(answer.lines).toContain('OUTBOUND_ALLOW');
    expect(issuer.paths.length).toBe(before);
  });

  test.each([
    ['names another issuer', { issuer: 'https://attacker.example' }],
    ['names none', {}],
    ['is no JSON', 'no JSON'],
  ])('whose document %s is not used', async (_name, document) => {
    issuer.instead.set(discovery, (_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document)),
    );
    expect(await beginOn({})).toMatchObject({ status: 502, body: { code: 'issuer_unavailable' } });
  });

  test('is asked once for its document, and again after a failure', async () => {
    const other = await startPeopleHost(options);
    try {
      issuer.instead.set(discovery, (_request, response) => response.writeHead(500).end());
      expect((await begin({}, other)).status).toBe(503);
      issuer.instead.clear();
      const before = issuer.paths.filter((path) => path === discovery).length;
      await Promise.all([begin({}, other), begin({}, other), begin({}, other)]);
      expect(issuer.paths.filter((path) => path === discovery).length).toBe(before + 1);
    } finally {
      await other.close();
    }
  });

  test('that is not set is not offered', async () => {
    const plain = await startPeopleHost();
    try {
      const offered = (on: TestHost) => on.call('GET', '/console/api/sign-in', undefined, { token: null });
      expect((await offered(plain)).body).toEqual({ issuer: null });
      expect((await offered(host)).body).toEqual({ issuer: { name: issuer.host } });
      expect(await begin({}, plain)).toMatchObject({ status: 404, body: { code: 'sign_in_not_configured' } });
      expect((await comeBack(`${callback}?state=x&code=y`, '', plain)).status).toBe(404);
    } finally {
      await plain.close();
    }
  });
});

describe('a session of the issuer ends', () => {
  test('when its rules change, and when the issuer is not set any more', async () => {
    const session = cookieOf(await signIn('mia'), 'session');
    const values = { ...roles.values, auditors: { role: 'viewer' } };
    const hosts = await Promise.all([
      startPeopleHost({ ...options, issuer: { ...options.issuer, clientSecret: 'a new one' } }),
      startPeopleHost({ ...options, issuer: { ...options.issuer, roles: rolesOf({ ...roles, values }) } }),
      startPeopleHost({ settings: { baseUrl }, database: host }),
    ]);
    try {
      const statuses = await Promise.all(hosts.map(async (other) => (await me(session, other)).status));
      expect(statuses).toEqual([200, 401, 401]);
      const listed = await Promise.all(
        hosts.map(async (other) => {
          const { body } = await other.call('GET', '/v1/admin/sessions?limit=100');
          return body.items.some(({ actor }: Record<string, unknown>) => actor === 'oidc:mia');
        }),
      );
      expect(listed).toEqual([true, false, false]);
    } finally {
      await Promise.all(hosts.map((other) => other.close()));
    }
  });

  test('when an owner ends it, at once', async () => {
    const session = cookieOf(await signIn('ove'), 'session');
    const { body } = await host.call('GET', '/v1/admin/sessions?limit=100');
    const [listed] = body.items
      .filter(({ actor }: Record<string, unknown>) => actor === 'oidc:ove')
      .slice(-1);
    expect(listed).toMatchObject({
      name: 'Ove Example <ove@example.com>',
      role: 'operator',
      pools: ['rafting'],
    });
    const lastsMs = Date.parse(listed.expiresAt) - Date.parse(listed.createdAt);
    expect(lastsMs).toBe(12 * 3_600_000);
    const own = await host.call('DELETE', `/v1/admin/sessions/${listed.id}`, undefined, {
      token: null,
      headers: { cookie: session, ...asConsole },
    });
    expect(own.status).toBe(403);
    expect((await host.call('DELETE', `/v1/admin/sessions/${listed.id}`)).status).toBe(204);
    expect((await me(session)).status).toBe(401);
    expect(await host.call('DELETE', `/v1/admin/sessions/${listed.id}`)).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    });
  });
});

test('neither a code, nor a state, nor a token, nor the secret is in any log', async () => {
  const { state, nonce, cookie } = await visit();
  const idToken = issuer.idToken({ nonce, aud: 'another' });
  issuer.giveToken(idToken);
  await comeBack(backWith({ state, code: 'the-returned-code' }), cookie);
  const entered = await signIn('mia');
  const { searchParams } = new URL(entered.address);
  const log = host.lines.join('');
  for (const secret of [
    state,
    nonce,
    idToken,
    'the-returned-code',
    clientSecret,
    adminToken,
    searchParams.get('code') ?? 'none',
    searchParams.get('state') ?? 'none',
  ]) {
    expect(log).not.toContain(secret);
  }
  expect(log).toContain('/console/sign-in/callback?[redacted]');
});
