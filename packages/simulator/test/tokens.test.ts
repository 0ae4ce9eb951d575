import { afterEach, beforeEach, expect, test } from 'vitest';
import { IssuedTokens, type SimulatedBookingSystem, startBookingSystem } from '../src/index.ts';

const client = { id: 'client-1', secret: 's3cret/with:signs' };
const basic = `Basic ${btoa(`${client.id}:${encodeURIComponent(client.secret)}`)}`;
const form = 'application/x-www-form-urlencoded';

let issued: IssuedTokens;
let system: SimulatedBookingSystem;
beforeEach(async () => {
  issued = new IssuedTokens(3_600);
  system = await startBookingSystem({
    apiKey: 'never-sent',
    pathShape: 'path',
    form: 'current',
    tokens: { issued, client },
  });
});
afterEach(() => system.close());

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

test('the account’s key is no token', async () => {
  const headers = { 'api-key': 'never-sent' };
  expect((await fetch(`${system.url}/bookings/BK-1001?pool=p1`, { headers })).status).toBe(401);
});
