import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  AuthorizationGrants,
  IssuedTokens,
  type SimulatedBookingSystem,
  startBookingSystem,
} from '../src/index.ts';

const client = { id: 'client-1', secret: 's3cret' };
const redirectUri = 'https://waivers.example/back';
const verifier = 'v'.repeat(43);

let grants: AuthorizationGrants;
let system: SimulatedBookingSystem;
beforeEach(async () => {
  grants = new AuthorizationGrants(client.id, redirectUri);
  const tokens = { issued: new IssuedTokens(3_600), client, grants };
  system = await startBookingSystem({ apiKey: 'never-sent', pathShape: 'path', form: 'current', tokens });
});
afterEach(() => system.close());

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
  expect(await ask({ grant_type: 'client_credentials' })).toMatchObject({ error: 'unsupported_grant_type' });
});
