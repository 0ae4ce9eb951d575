import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  AuthorizationGrants,
  type BookingSystemOptions,
  IssuedTokens,
  type SimulatedBookingSystem,
  startBookingSystem,
} from '../src/index.ts';

let system: SimulatedBookingSystem;
const start = async (how: Pick<BookingSystemOptions, 'isAuthentic' | 'tokens'>) => {
  system = await startBookingSystem({ apiKey: 'never-sent', pathShape: 'path', form: 'current', ...how });
};
afterEach(() => system.close());

test.each([
  ['signature', { isAuthentic: () => false }],
  ['token', { tokens: { issued: new IssuedTokens(3_600), client: { id: 'client-1', secret: 's3cret' } } }],
])('the account’s key in a header is no %s', async (_what, how) => {
  await start(how);
  const headers = { 'api-key': 'never-sent' };
  expect((await fetch(`${system.url}/bookings/BK-1001?pool=p1`, { headers })).status).toBe(401);
});

describe('signatures', () => {
  const secretKey = 'signing-secret';
  const maxAgeMs = 60_000;
  const sign = (date: string, method: string, address: string, body = '') =>
    createHmac('sha256', secretKey).update([date, method, address, body].join('\n')).digest('hex');

  beforeEach(() =>
    start({
      isAuthentic({ method, url, headers, body, now }) {
        const { 'x-date': date = '', 'x-signature': signature } = headers;
        const isFresh = Math.abs(now.getTime() - Date.parse(date)) < maxAgeMs;
        const expected = sign(date, method, url.pathname + url.search, Buffer.from(body).toString());
        return isFresh && signature === expected;
      },
    }),
  );

  const address = '/bookings/BK-1001?pool=p%C3%BC';

  async function statusOf(
    method: string,
    path: string,
    signed: { date?: string; address?: string; body?: string },
  ) {
    const { date = new Date().toISOString() } = signed;
    const signature = sign(date, method, signed.address ?? path, signed.body);
    const headers = { 'x-date': date, 'x-signature': signature, 'content-type': 'application/json' };
    const body = method === 'POST' ? '{}' : null;
    return (await fetch(system.url + path, { method, headers, body })).status;
  }

  test('a request is answered if its signature is over the address, the body and a fresh date', async () => {
    expect(await statusOf('GET', address, {})).toBe(200);
    // Authentic, though it is no waiver.
    expect(await statusOf('POST', '/bookings/BK-1001/guests/', { body: '{}' })).toBe(400);
  });

  test.each([
    ['another path', { address: '/bookings/BK-1002?pool=p%C3%BC' }],
    ['no query', { address: '/bookings/BK-1001' }],
    ['a decoded query', { address: '/bookings/BK-1001?pool=pü' }],
    ['a stale date', { date: new Date(Date.now() - maxAgeMs).toISOString() }],
    ['another body', { body: '{}' }],
  ])('a signature over %s is refused, and takes no effect', async (_mistake, signed) => {
    expect(await statusOf('GET', address, signed)).toBe(401);
    expect(system.received.at(-1)?.answer?.status).toBe(401);
  });
});

describe('tokens', () => {
  const client = { id: 'client-1', secret: 's3cret/with:signs' };
  const basic = `Basic ${btoa(`${client.id}:${encodeURIComponent(client.secret)}`)}`;
  const form = 'application/x-www-form-urlencoded';

  let issued: IssuedTokens;
  beforeEach(async () => {
    issued = new IssuedTokens(3_600);
    await start({ tokens: { issued, client } });
  });

  async function ask(body: string, headers: Record<string, string> = {}, method = 'POST') {
    const answer = await fetch(`${system.url}/token`, {
      method,
      headers: { 'content-type': form, ...headers },
      body,
    });
    const json: Record<string, unknown> = Object(await answer.json());
    return { ...json, status: answer.status, access_token: json.access_token };
  }

  async function readWith(token: unknown): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${system.url}/bookings/BK-1001?pool=p1`, { headers })).status;
  }

  const grant = 'grant_type=client_credentials';
  const inBody = `${grant}&client_id=${client.id}&client_secret=${encodeURIComponent(client.secret)}`;

  test.each([
    ['HTTP Basic', grant, { authorization: basic }],
    ['the body', inBody, {}],
  ])('issues a token to the client that authenticates by %s', async (_way, body, headers) => {
    const answer = await ask(body, headers);
    expect(answer).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3_600 });
    expect(await readWith(answer.access_token)).toBe(200);
    expect(issued.count).toBe(1);
  });

  test.each<[string, number, string, Parameters<typeof ask>]>([
    ['another secret', 401, 'invalid_client', [`${inBody}x`]],
    ['no client', 401, 'invalid_client', [grant]],
    ['two ways at once', 400, 'invalid_request', [inBody, { authorization: basic }]],
    ['another grant', 400, 'unsupported_grant_type', [inBody.replace(grant, 'grant_type=password')]],
    ['a parameter twice', 400, 'invalid_request', [`${inBody}&${grant}`]],
    ['JSON', 400, 'invalid_request', [inBody, { 'content-type': 'application/json' }]],
  ])('issues none for %s', async (_mistake, status, error, asked) => {
    expect(await ask(...asked)).toMatchObject({ status, error });
    expect(issued.count).toBe(0);
  });

  test('a token that has ended, was revoked or was never issued is refused with 401', async () => {
    const { access_token: token } = await ask(inBody);
    issued.revokeAll();
    issued.lifetimeSeconds = 0;
    const { access_token: ended } = await ask(inBody);
    expect([await readWith(token), await readWith(ended), await readWith('at-invented')]).toEqual([
      401, 401, 401,
    ]);
    issued.lifetimeSeconds = 60;
    const { access_token: next } = await ask(inBody);
    expect(await readWith(next)).toBe(200);
    expect(await readWith(token)).toBe(401);
  });
});

describe('a person’s agreement', () => {
  const client = { id: 'client-1', secret: 's3cret' };
  const redirectUri = 'https://waivers.example/back';
  const verifier = 'v'.repeat(43);

  let grants: AuthorizationGrants;
  beforeEach(async () => {
    grants = new AuthorizationGrants(client.id, redirectUri);
    await start({ tokens: { issued: new IssuedTokens(3_600), client, grants } });
  });

  const asked = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };

  async function visit(change: Readonly<Record<string, string>> = {}) {
    const query = new URLSearchParams({ ...asked, ...change });
    const page = await fetch(`${system.url}/authorize?${query}`, { redirect: 'manual' });
    const back = page.headers.get('location');
    return { status: page.status, back: Object.fromEntries(new URL(back ?? 'about:blank').searchParams) };
  }

  async function ask(fields: Readonly<Record<string, string>>) {
    const body = new URLSearchParams({ client_id: client.id, client_secret: client.secret, ...fields });
    const answer = await fetch(`${system.url}/token`, { method: 'POST', body });
    const json: Record<string, unknown> = Object(await answer.json());
    return { status: answer.status, refreshToken: String(json.refresh_token), error: json.error };
  }

  const exchange = (code: string, change: Readonly<Record<string, string>> = {}) =>
    ask({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...change,
    });
  const refresh = (refresh_token: string) => ask({ grant_type: 'refresh_token', refresh_token });

  async function granted() {
    const { back } = await visit();
    return exchange(back.code ?? '');
  }

  test('a code comes back with the state, and is taken once', async () => {
    const { status, back } = await visit();
    expect({ status, state: back.state }).toEqual({ status: 302, state: 'the state' });
    expect((await exchange(back.code ?? '')).status).toBe(200);
    expect(await exchange(back.code ?? '')).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['another redirect address', { redirect_uri: `${redirectUri}/x` }],
  ])('a code is not taken with %s', async (_what, change) => {
    const { back } = await visit();
    expect(await exchange(back.code ?? '', change)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  test.each([
    ['another client', { client_id: 'x' }, 400, undefined],
    ['a redirect address that is not registered', { redirect_uri: 'https://evil.example' }, 400, undefined],
    ['no challenge', { code_challenge: '' }, 302, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 302, 'invalid_request'],
  ])('the page gives no code for %s', async (_what, change, status, error) => {
    const answered = await visit(change);
    expect(answered.status).toBe(status);
    expect(answered.back.error).toBe(error);
    expect(answered.back).not.toHaveProperty('code');
  });

  test('a person who does not agree sends the browser back with the error', async () => {
    grants.refusal = { error: 'access_denied', error_description: 'no' };
    expect((await visit()).back).toEqual({
      state: 'the state',
      error: 'access_denied',
      error_description: 'no',
    });
  });

  test('a refresh token is taken once; one that comes again ends the grant', async () => {
    const first = await granted();
    const second = await refresh(first.refreshToken);
    expect(second.status).toBe(200);
    expect(await refresh(first.refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await refresh(second.refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  test('or the former one is taken, too, but none before it', async () => {
    grants.takesFormer = true;
    const first = await granted();
    await refresh(first.refreshToken);
    expect((await refresh(first.refreshToken)).status).toBe(200);
    expect((await refresh(first.refreshToken)).status).toBe(400);
  });

  test('client credentials are of no use', async () => {
    expect(await ask({ grant_type: 'client_credentials' })).toMatchObject({
      error: 'unsupported_grant_type',
    });
  });
});
