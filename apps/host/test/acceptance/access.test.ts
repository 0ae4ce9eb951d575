import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { type DocumentedOperation, documentedOperations, filledPath, isLong } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../harness/program.ts';

/** Who needs no token. A route that is not here is one that asks for it. */
const openToAll = ['GET /healthz', 'GET /metrics', 'GET /readyz'];
/** Where people sign in to the console, and out of it. */
const openForSignIn = [
  'DELETE /console/api/session',
  'POST /console/api/session',
  'GET /console/api/sign-in',
  'POST /console/api/sign-in',
  'POST /console/api/sign-in-link',
];
/** The redirect addresses of vendors and the issuer: the state in them authorizes the request. */
const openWithState = ['GET /integration/authorize/{booking_system}', 'GET /console/sign-in/callback'];
const openWithBookingSystemKey = [
  'POST /integration/install/{booking_system}',
  'POST /integration/uninstall/{booking_system}',
  'POST /integration/webhook/{booking_system}',
];
/** The token in the path is the proof. */
const openWithTokenInPath = [
  'GET /copies/{token}',
  'GET /unsubscribe/{pool}/{token}',
  'POST /unsubscribe/{pool}/{token}',
];
/** The token of a link, which these routes check themselves. */
const openWithLink = [
  'GET /check-in/api/session',
  'POST /check-in/api/kiosk/pair',
  'POST /check-in/api/kiosk/signings',
  'PUT /check-in/api/kiosk/day',
  'POST /check-in/api/returning/codes',
  'POST /check-in/api/returning/people',
  'POST /check-in/api/returning/proofs',
  'POST /check-in/api/returning/text',
  'POST /check-in/api/reuses',
  'POST /check-in/api/sealed-signings/{key}',
  'POST /check-in/api/signings',
  'PUT /check-in/api/signings/{id}/page',
];
const poolRoutes = /^\/v1\/pools\/\{pool\}\//;

let database: TestDatabase;
let program: Program;
let operations: DocumentedOperation[];
let ownToken: string;
let otherToken: string;

beforeAll(async () => {
  database = await createTestDatabase();
  program = await startProgram({ DATABASE_URL: database.url, TRUST_PROXY: '1' });
  operations = await documentedOperations(program.url);
  ownToken = await program.makePool('mine');
  otherToken = await program.makePool('theirs');
});
afterAll(async () => {
  await program.stop();
  await database.drop();
});

const guarded = () => operations.filter(({ needsToken }) => needsToken);
/** Some of each kind: all read the token by the same function, and none has its own way to find the pool. */
const someGuarded = () => guarded().filter((_, place) => isLong || place % 10 === 0);
const pathIn = (pool: string, { path }: DocumentedOperation) =>
  filledPath(path, { pool, bookingSystem: 'standard', other: 'x' });
// Not JSON, so it would be a 400 if it were parsed.
const bodyOf = ({ method }: DocumentedOperation) => (method === 'GET' ? undefined : '{');

test('every route asks for a token but those that are listed here', () => {
  const open = operations.filter(({ needsToken }) => !needsToken);
  expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    [
      ...openForSignIn,
      ...openToAll,
      ...openWithBookingSystemKey,
      ...openWithLink,
      ...openWithState,
      ...openWithTokenInPath,
    ].sort(),
  );
  expect(guarded().length).toBeGreaterThan(35);
});

test.each([
  ['no token', {}],
  ['another scheme', { authorization: 'Basic eDp5' }],
  ['an empty token', { authorization: 'Bearer ' }],
  ['a token of the right shape', { authorization: `Bearer wst_${'x'.repeat(43)}` }],
  ['a token that is too long', { authorization: `Bearer ${'x'.repeat(8_000)}` }],
  ['SQL', { authorization: `Bearer ' or 1=1 --` }],
])('%s: 401', async (what, headers) => {
  for (const operation of what === 'no token' ? guarded() : someGuarded()) {
    const path = pathIn('mine', operation);
    const answer = await program.call(operation.method, path, bodyOf(operation), { token: null, headers });
    expect([operation, answer.status, answer.body]).toEqual([
      operation,
      401,
      { success: false, code: 'unauthorized', message: expect.any(String) },
    ]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  }
});

test('a token in the address is ignored', async () => {
  for (const operation of someGuarded()) {
    const path = `${pathIn('mine', operation)}?access_token=${ownToken}&token=${ownToken}`;
    // An address has its budget of wrong tokens, and the others have used up that of this one.
    const headers = { 'x-forwarded-for': '203.0.113.2' };
    const answer = await program.call(operation.method, path, bodyOf(operation), { token: null, headers });
    expect([operation, answer.status]).toEqual([operation, 401]);
  }
});

test('another pool’s token: 403, and a pool that does not exist answers the same', async () => {
  for (const pool of ['mine', 'nowhere', 'theirs%2F..%2Fmine', 'THEIRS', 'theirs%20']) {
    for (const operation of pool === 'mine' ? guarded() : someGuarded()) {
      const path = pathIn(pool, operation);
      const isOwn = !operation.path.includes('{pool}') && pool !== 'mine';
      if (isOwn) continue;
      const answer = await program.call(operation.method, path, bodyOf(operation), { token: otherToken });
      expect([operation, pool, answer.status, answer.body.code]).toEqual([operation, pool, 403, 'forbidden']);
    }
  }
});

test('a pool’s own token opens its own routes, and none of the operators’', async () => {
  for (const operation of guarded()) {
    const answer = await program.call(operation.method, pathIn('mine', operation), bodyOf(operation), {
      token: ownToken,
    });
    const isOpen = ![401, 403].includes(answer.status);
    expect([operation, answer.status, isOpen]).toEqual([
      operation,
      answer.status,
      poolRoutes.test(operation.path),
    ]);
  }
});
