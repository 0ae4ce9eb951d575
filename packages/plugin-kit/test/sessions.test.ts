import { createHash } from 'node:crypto';
import type { BookingSystemPlugin, InstalledAccount, Session } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import {
  authorizationCode,
  type ContractDefinition,
  clientCredentials,
  codeChallengeOf,
  createCodeVerifier,
  defineBookingSystem,
  isDueForRenewal,
  keepSessionInMemory,
  type NoSettings,
  prepareAuthorization,
  type SessionKeeper,
  sessionOfTokenAnswer,
} from '../src/index.ts';
import { apiKey, byPath, startBookingSystem, startRecordingServer } from './setup.ts';

const { server, setup } = await startBookingSystem();

const define = (parts: Partial<ContractDefinition>) => defineBookingSystem({ ...byPath, ...parts });

const grant = 'client-credentials' as const;
const numbered = (prefix = 'token') => {
  let count = 0;
  return async (): Promise<Session> => {
    count += 1;
    return { accessToken: `${prefix}-${count}` };
  };
};
const authorizations = () => server.takeAll().map(({ headers }) => headers.authorization);

test('a plugin with a session sends its token as a bearer, and no key', async () => {
  const plugin = define({ session: { grant, renew: numbered() } });
  expect(plugin).toMatchObject({
    contract: { authHeaderName: 'Authorization', guestUpdateAuthHeaderName: 'Authorization' },
  });
  const { http } = setup.context(plugin);
  server.willAnswer({ status: 200 });
  await http.get('x');
  await http.get('y');
  const requests = server.takeAll();
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-1']);
  expect(JSON.stringify(requests)).not.toContain(apiKey);
});

test('its own `authenticate` gets the session', async () => {
  const plugin = define({
    session: { grant, renew: async () => ({ accessToken: 'token-1', data: { company: 'c-7' } }) },
    authenticate: ({ session }) => ({
      headers: { 'X-Token': session?.accessToken ?? '', 'X-Company': session?.data?.company ?? '' },
    }),
  });
  await setup.context(plugin).http.get('x');
  expect(server.takeRequest().headers).toMatchObject({ 'x-token': 'token-1', 'x-company': 'c-7' });
});

test('many calls at once open one session, and renew it once after a 401', async () => {
  const plugin = define({ session: { grant, renew: numbered() } });
  const { http } = setup.context(plugin, { sessionKeeper: keepSessionInMemory() });
  server.willAnswer({ status: 401 });
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await http.get('x')).status));
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  expect(authorizations().sort()).toEqual([
    ...Array.from({ length: 5 }, () => 'Bearer token-1'),
    ...Array.from({ length: 5 }, () => 'Bearer token-2'),
  ]);
});

test('an answer that `judgeAnswer` calls bad-key renews the session like a 401', async () => {
  const plugin = define({
    session: { grant, renew: numbered() },
    judgeAnswer: ({ data }) => (data === 'expired' ? { meaning: 'bad-key' } : undefined),
  });
  server.willAnswer({ status: 200, body: 'expired' });
  await setup.context(plugin).http.get('x');
  expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-2']);
});

test('renewing gets the former session, and what there is to know', async () => {
  const formers: (Session | undefined)[] = [];
  const renew = numbered();
  const plugin = define({
    session: {
      grant,
      async renew({ account, baseUrl, bookingSystem, pool, now }, former) {
        expect({ key: account.apiKey, baseUrl, bookingSystem, pool }).toEqual({
          key: apiKey,
          baseUrl: server.baseUrl,
          bookingSystem: 'By Path',
          pool: 'pool & 1',
        });
        expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(5_000);
        formers.push(former);
        return renew();
      },
    },
  });
  server.willAnswer({ status: 401 });
  await setup.context(plugin).http.get('x');
  expect(formers).toEqual([undefined, { accessToken: 'token-1' }]);
});

test('its requests carry no key and no token, and an error of it shows nothing that came back', async () => {
  const plugin = define({
    headers: () => ({ 'X-App-Key': 'the-app-key' }),
    session: {
      grant,
      async renew({ http }) {
        const { data } = await http.post('/token', { password: 'sent-password' });
        throw new Error(`no session: ${JSON.stringify(data)}`);
      },
    },
  });
  server.willAnswer({ body: { access_token: 'came-token', said: 'sent-password' } });
  const error = await setup
    .context(plugin)
    .http.get('x')
    .catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/no session/);
  expect(String(error)).not.toMatch(/came-token|sent-password/);
  expect(server.takeRequest().headers).not.toHaveProperty('x-app-key');
});

test('an allowed origin that is none is told at once', () => {
  const renew = numbered();
  const allowedOrigins = () => ['https://login.example.com/token'];
  expect(() => setup.context(define({ session: { grant, renew, allowedOrigins } }))).toThrow(
    /"https:\/\/login.example.com\/token", which is no origin/,
  );
});

describe('client credentials', () => {
  const client = { id: 'client 1', secret: 's3cret/with:signs+' };
  const plugin = (more: object = {}): BookingSystemPlugin<NoSettings, InstalledAccount> =>
    define({
      session: clientCredentials({ tokenUrl: '/oauth/token', client: () => client, ...more }),
    });
  const token = { access_token: 'came-token', token_type: 'Bearer', expires_in: 3600 };

  test('asks as RFC 6749 says, with HTTP Basic', async () => {
    server.willAnswer({ body: token });
    await setup.context(plugin({ parameters: { scope: 'read write' } })).http.get('x');
    const [asked, request] = server.takeAll();
    expect(asked?.url).toBe('/partner/api/oauth/token');
    expect(asked?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
    });
    const basic = Buffer.from(
      asked?.headers.authorization?.slice('Basic '.length) ?? '',
      'base64',
    ).toString();
    expect(basic).toBe('client+1:s3cret%2Fwith%3Asigns%2B');
    expect(request?.headers.authorization).toBe('Bearer came-token');
  });

  test('escapes in HTTP Basic what a form does, and nothing that servers which do not decode would refuse', async () => {
    server.willAnswer({ body: token });
    const named = { id: 'client-1_a.b', secret: 'S3-cr_e.t*' };
    await setup.context(plugin({ client: () => named })).http.get('x');
    const [asked] = server.takeAll();
    const basic = Buffer.from(`${named.id}:${named.secret}`).toString('base64');
    expect(asked?.headers.authorization).toBe(`Basic ${basic}`);
  });

  test('or with the client in the body', async () => {
    server.willAnswer({ body: token });
    await setup.context(plugin({ clientAuthentication: 'post' })).http.get('x');
    const [asked] = server.takeAll();
    expect(asked?.headers).not.toHaveProperty('authorization');
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toMatchObject({
      client_id: client.id,
      client_secret: client.secret,
    });
  });

  test('at an address elsewhere', async () => {
    const login = await startRecordingServer();
    try {
      login.willAnswer({ body: token });
      await setup.context(plugin({ tokenUrl: login.baseUrl })).http.get('x');
      expect(login.takeRequest().url).toBe('/partner/api');
      expect(authorizations()).toEqual(['Bearer came-token']);
    } finally {
      await login.close();
    }
  });

  test('a refusal is AuthenticationRejected, and shows no secret', async () => {
    server.willAnswer({ status: 401, body: { error: 'invalid_client', error_description: client.secret } });
    const error = await setup
      .context(plugin())
      .http.get('x')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'booking_system_auth_rejected',
      upstreamStatus: 401,
      message: expect.stringMatching(/By Path gives no token .* "invalid_client: «redacted»": install again/),
    });
  });
});

describe('an authorization code', () => {
  const client = { id: 'client 1', secret: 's3cret' };
  const plugin = define({
    session: authorizationCode({
      authorizationUrl: 'oauth/authorize',
      tokenUrl: 'oauth/token',
      client: () => client,
      parameters: { scope: 'read write' },
    }),
  });
  const installation = () => ({
    plugin,
    outbound: setup.outbound,
    baseUrl: server.baseUrl,
    pool: 'p/1',
    settings: {},
    account: { accountId: 1, apiKey },
    purpose: 'read' as const,
  });
  const prepared = () => {
    const authorization = prepareAuthorization(installation());
    if (authorization === undefined) throw new Error('there is no authorization');
    return authorization;
  };
  const redirectUri = 'https://waivers.example/integration/authorize/by-path';
  const callback = {
    code: 'the-code',
    codeVerifier: 'the-verifier',
    redirectUri,
    callbackUrl: new URL(redirectUri),
  };
  const use = () => ({ signal: new AbortController().signal });
  const formOf = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body));

  test('begins at the page, with PKCE', async () => {
    const codeVerifier = createCodeVerifier();
    expect(codeVerifier).toMatch(/^[\w-]{43}$/);
    const codeChallenge = await codeChallengeOf(codeVerifier);
    expect(codeChallenge).toBe(createHash('sha256').update(codeVerifier).digest('base64url'));
    const url = prepared().url({ state: 's/+', redirectUri, codeChallenge });
    expect(url.origin + url.pathname).toBe(`${server.baseUrl}/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client 1',
      redirect_uri: redirectUri,
      scope: 'read write',
      state: 's/+',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
  });

  test('is exchanged for a session, which is renewed by its refresh token', async () => {
    server.willAnswer({ body: { access_token: 'a1', refresh_token: 'r1', expires_in: 60 } });
    const session = await prepared().exchange(callback, use());
    expect(session).toMatchObject({ accessToken: 'a1', refreshToken: 'r1' });
    expect(formOf(server.takeRequest().body)).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      code_verifier: 'the-verifier',
      redirect_uri: redirectUri,
    });

    const renewed: (Session | undefined)[] = [];
    const sessionKeeper: SessionKeeper = {
      async current(renew) {
        renewed.push(await renew({ ...session, data: { company: 'c-7' } }, use()));
        return session;
      },
      replace: async () => undefined,
    };
    server.willAnswer({ body: { access_token: 'a2' } });
    await setup.context(plugin, { sessionKeeper }).http.get('x');
    const [asked] = server.takeAll();
    expect(formOf(asked?.body)).toEqual({ grant_type: 'refresh_token', refresh_token: 'r1' });
    expect(renewed).toMatchObject([{ accessToken: 'a2', refreshToken: 'r1', data: { company: 'c-7' } }]);
  });

  test('that was never given says where to begin, and asks the vendor for nothing', async () => {
    const error = await setup
      .context(plugin)
      .http.get('x')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'booking_system_auth_rejected',
      message: expect.stringContaining('POST /v1/admin/pools/pool%20%26%201/installations/by-path/authorize'),
    });
    expect(server.takeAll()).toEqual([]);
  });

  test('that is refused shows neither code nor verifier', async () => {
    server.willAnswer({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'the-code the-verifier' },
    });
    const error = await prepared()
      .exchange(callback, use())
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/"invalid_grant: «redacted» «redacted»": authorize it at the address/);
  });

  test('without a refresh token, a session that has ended cannot be renewed', async () => {
    const sessionKeeper: SessionKeeper = {
      current: (renew) => renew({ accessToken: 'a1' }, use()),
      replace: async () => undefined,
    };
    await expect(setup.context(plugin, { sessionKeeper }).http.get('x')).rejects.toMatchObject({
      code: 'booking_system_auth_rejected',
      message: expect.stringContaining('nothing to renew it with'),
    });
  });

  test('of another account than the installed one is refused, where the vendor says which', async () => {
    const session = authorizationCode({
      authorizationUrl: 'oauth/authorize',
      tokenUrl: 'oauth/token',
      client: () => client,
      accountOf: (answer) => {
        const id: unknown = Object(answer).company_id;
        return id === undefined ? undefined : String(id);
      },
    });
    const exchange = () =>
      prepareAuthorization({ ...installation(), plugin: define({ session }) })?.exchange(callback, use());
    server.willAnswer({ body: { access_token: 'a1', company_id: 2 } });
    await expect(exchange()).rejects.toMatchObject({
      code: 'booking_system_auth_rejected',
      message: expect.stringContaining('authorized for the account "2", but "1" is installed'),
    });
    for (const said of [{ company_id: 1 }, {}]) {
      server.willAnswer({ body: { access_token: 'a1', ...said } });
      expect(await exchange()).toMatchObject({ accessToken: 'a1' });
    }
  });

  test('is nothing for a plugin whose sessions begin otherwise', () => {
    const other = define({ session: { grant, renew: numbered() } });
    expect(prepareAuthorization({ ...installation(), plugin: other })).toBeUndefined();
    expect(prepareAuthorization({ ...installation(), plugin: define({}) })).toBeUndefined();
  });
});

describe('the answer of a token endpoint', () => {
  const now = new Date('2027-06-12T08:00:00Z');
  const subject = { bookingSystem: 'Vendor', now, remedy: 'install again' };
  const read = (status: number, data: unknown, former?: Session) =>
    sessionOfTokenAnswer({ status, headers: {}, data }, subject, former);

  test.each<[string, object, Partial<Session>]>([
    ['lifetime', { expires_in: 60 }, { expiresAt: new Date('2027-06-12T08:01:00Z') }],
    ['lifetime as a text', { expires_in: '60' }, { expiresAt: new Date('2027-06-12T08:01:00Z') }],
    ['no lifetime', {}, { expiresAt: undefined }],
    ['a lifetime that is none', { expires_in: 0 }, { expiresAt: undefined }],
    ['a lifetime beyond all dates', { expires_in: 1e300 }, { expiresAt: new Date('2037-06-09T08:00:00Z') }],
    ['a refresh token', { refresh_token: 'r2' }, { refreshToken: 'r2' }],
    ['no refresh token, so that the former one stays', {}, { refreshToken: 'r1' }],
  ])('%s', (_case, fields, expected) => {
    const session = read(200, { access_token: 'a1', ...fields }, { accessToken: 'a0', refreshToken: 'r1' });
    expect(session).toMatchObject({ accessToken: 'a1', ...expected });
  });

  test.each([
    [400, { error: 'invalid_grant' }, 'booking_system_auth_rejected'],
    [401, 'no', 'booking_system_auth_rejected'],
    [403, {}, 'booking_system_auth_rejected'],
    [400, { error: 'temporarily_unavailable' }, 'booking_system_error'],
    [404, {}, 'booking_system_error'],
    [429, {}, 'booking_system_rate_limited'],
    [503, { error: 'server_error' }, 'booking_system_error'],
    [200, {}, 'booking_system_error'],
    [200, { access_token: '' }, 'booking_system_error'],
    [200, { access_token: 'a\n' }, 'booking_system_error'],
    [200, { access_token: 'a\nb' }, 'booking_system_error'],
    [200, { access_token: '\r\na' }, 'booking_system_error'],
    [200, { access_token: 'a\tb' }, 'booking_system_error'],
    [200, { access_token: 'a\u0000' }, 'booking_system_error'],
    [200, { access_token: 'ä' }, 'booking_system_error'],
    [200, { access_token: 'a\u2028b' }, 'booking_system_error'],
    [200, '<html>', 'booking_system_error'],
    [200, null, 'booking_system_error'],
  ])('status %s with %j is %s', (status, data, code) => {
    expect(() => read(status, data)).toThrow(expect.objectContaining({ code }));
  });
});

describe('a session is due for renewal', () => {
  const issuedAt = new Date('2027-06-12T08:00:00Z');
  const after = (seconds: number) => new Date(issuedAt.getTime() + seconds * 1_000);
  const isDue = (lifetime: number | undefined, seconds: number) =>
    isDueForRenewal(
      {
        session: { accessToken: 'a', expiresAt: lifetime === undefined ? undefined : after(lifetime) },
        issuedAt,
      },
      after(seconds),
    );

  test('a minute before its end', () => {
    expect([isDue(3_600, 3_539), isDue(3_600, 3_540)]).toEqual([false, true]);
  });
  test('for the last fifth of a short life', () => {
    expect([isDue(10, 7.9), isDue(10, 8)]).toEqual([false, true]);
  });
  test('never, if it does not say when it ends', () => {
    expect(isDue(undefined, 1e9)).toBe(false);
  });
});
