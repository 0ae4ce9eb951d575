import {
  type DocumentedOperation,
  documentedOperations,
  filledPath,
  isLong,
  type TestCaller,
  textAt,
} from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Program, startProgram } from '../harness/program.ts';
import { named, ownersOnly, readByOperators } from '../harness/routes-of-roles.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

// Not JSON, so it would be a 400 if it were parsed.
const bodyOf = ({ method }: DocumentedOperation) => (method === 'GET' ? undefined : '{');

describe('a call without a token', () => {
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
  let program: Program;
  let operations: DocumentedOperation[];
  let ownToken: string;
  let otherToken: string;
  beforeAll(async () => {
    program = await startProgram({ TRUST_PROXY: '1' });
    operations = await documentedOperations(program.url);
    ownToken = await program.makePool('mine');
    otherToken = await program.makePool('theirs');
  });
  afterAll(() => program.stop());

  const guarded = () => operations.filter(({ needsToken }) => needsToken);

  /** Some of each kind: all read the token by the same function, and none has its own way to find the pool. */
  const someGuarded = () => guarded().filter((_, place) => isLong || place % 10 === 0);

  const pathIn = (pool: string, { path }: DocumentedOperation) =>
    filledPath(path, { pool, bookingSystem: 'standard', other: 'x' });

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
        expect([operation, pool, answer.status, answer.body.code]).toEqual([
          operation,
          pool,
          403,
          'forbidden',
        ]);
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
});

describe('a person', () => {
  type Role = 'owner' | 'operator' | 'viewer';

  const roles: readonly Role[] = ['viewer', 'operator', 'owner'];

  let host: TestHost;
  let operations: DocumentedOperation[];

  /** By route: an id of something of the pool `mine`. */
  let ids: ReadonlyMap<string, string>;

  const minimumRole = (operation: DocumentedOperation): Role => {
    if (ownersOnly.includes(named(operation))) return 'owner';
    if (readByOperators.includes(named(operation))) return 'operator';
    return operation.method === 'GET' ? 'viewer' : 'operator';
  };

  const guarded = () => operations.filter(({ needsToken }) => needsToken);

  const addressOf = ({ path }: DocumentedOperation) =>
    filledPath(path, { pool: 'mine', bookingSystem: 'standard', other: ids.get(path) ?? 'x' });

  async function credential(
    settings: Readonly<Record<string, unknown>>,
  ): Promise<{ id: string; as: TestCaller }> {
    const { body } = await host.admin('POST', '/v1/admin/credentials', { name: 'one of us', ...settings });
    return { id: textAt(body, 'id'), as: host.as(textAt(body, 'token')) };
  }

  beforeAll(async () => {
    host = await startTestHost({ ROLE: 'api' });
    operations = await documentedOperations(host.url);
    await host.makePool('theirs');
    const app = await host.makePool('mine');
    const url = 'http://127.0.0.1:9/';
    await host.admin('POST', '/v1/admin/pools/mine/webhooks', { url, auth: { type: 'none' } });
    await app('POST', '/v1/pools/mine/waivers', { id: 'W-1', answers: { name: 'Ada' } });
    const [delivery] = (await host.admin('GET', '/v1/admin/deliveries')).body.items;
    const recover = { pool: 'mine', since: '2020-01-01T00:00:00Z' };
    const recovery = await host.admin('POST', '/v1/admin/deliveries/recover', recover);
    const alert = await host.admin('POST', '/v1/admin/alerts', {
      name: 'mine',
      url,
      auth: { type: 'none' },
      pools: ['mine'],
    });
    ids = new Map([
      ['/v1/admin/alerts/{id}', textAt(alert.body, 'id')],
      ['/v1/admin/alerts/{id}/test', textAt(alert.body, 'id')],
      ['/v1/admin/deliveries/{id}', textAt(delivery, 'id')],
      ['/v1/admin/deliveries/{id}/lane', textAt(delivery, 'id')],
      ['/v1/admin/deliveries/{id}/retry', textAt(delivery, 'id')],
      ['/v1/admin/destinations/{id}/pause', textAt(delivery, 'destination')],
      ['/v1/admin/destinations/{id}/resume', textAt(delivery, 'destination')],
      ['/v1/admin/recoveries/{id}', textAt(recovery.body, 'recoveryId')],
    ]);
  });
  afterAll(() => host?.close());

  test.each(roles)(
    'a credential with the role %s opens the routes of this role and no others',
    async (role) => {
      for (const settings of [{ role }, { role, pools: ['theirs', 'mine'] }]) {
        if (role === 'owner' && 'pools' in settings) continue;
        const { as } = await credential(settings);
        for (const operation of guarded()) {
          const { status, body } = await as(operation.method, addressOf(operation), bodyOf(operation));
          const isOpen = roles.indexOf(role) >= roles.indexOf(minimumRole(operation));
          expect([named(operation), status, [401, 403].includes(status)]).toEqual([
            named(operation),
            status,
            !isOpen,
          ]);
          if (!isOpen) expect([named(operation), body.code]).toEqual([named(operation), 'forbidden']);
        }
      }
    },
  );

  test('the document says which role each route of operators takes', async () => {
    const { paths } = (await host.admin('GET', '/openapi.json')).body;
    const sentences = {
      owner: 'For owners.',
      operator: 'For operators and owners.',
      viewer: 'For viewers, operators and owners.',
    };
    for (const operation of guarded().filter(({ path }) => path.startsWith('/v1/admin/'))) {
      const { description } = paths[operation.path][operation.method.toLowerCase()];
      expect([named(operation), description]).toEqual([
        named(operation),
        expect.stringContaining(sentences[minimumRole(operation)]),
      ]);
    }
  });

  // Nothing in these is of a pool.
  const ofNoPool = [
    '/v1/admin/me',
    '/v1/admin/sign-in-links',
    '/v1/admin/booking-systems',
    '/v1/admin/booking-systems/{booking_system}',
  ];

  test.each(['viewer', 'operator'] as const)(
    'a %s of another pool neither reads nor changes anything',
    async (role) => {
      const { as } = await credential({ role, pools: ['theirs'] });
      for (const operation of guarded().filter(({ path }) => !ofNoPool.includes(path))) {
        const { status, text } = await as(operation.method, addressOf(operation), bodyOf(operation));
        if (operation.method === 'GET' && status === 200) {
          // A list of all pools shows those of the caller.
          expect([named(operation), operation.path.includes('{'), text.includes('mine')]).toEqual([
            named(operation),
            false,
            false,
          ]);
          continue;
        }
        // Where the pool stands in the body, the body is read before.
        const isInBody =
          role === 'operator' &&
          ['POST /v1/admin/alerts', 'POST /v1/admin/deliveries/recover'].includes(named(operation));
        expect([named(operation), status]).toEqual([named(operation), isInBody ? 400 : 403]);
      }
      expect(await as('GET', '/v1/admin/deliveries?pool=mine')).toMatchObject({ status: 403 });
      const recover = { pool: 'mine', since: '2020-01-01T00:00:00Z' };
      expect(await as('POST', '/v1/admin/deliveries/recover', recover)).toMatchObject({ status: 403 });
    },
  );

  test('without a pool, a recovery covers the caller’s pools, and only the caller may read its progress', async () => {
    const theirs = await credential({ role: 'operator', pools: ['theirs'] });
    const both = await credential({ role: 'viewer', pools: ['theirs', 'mine'] });
    const since = '2020-01-01T00:00:00Z';
    const own = textAt(
      (await theirs.as('POST', '/v1/admin/deliveries/recover', { since })).body,
      'recoveryId',
    );
    const all = textAt(
      (await host.admin('POST', '/v1/admin/deliveries/recover', { since })).body,
      'recoveryId',
    );
    expect(await theirs.as('GET', `/v1/admin/recoveries/${own}`)).toMatchObject({ status: 200 });
    expect(await both.as('GET', `/v1/admin/recoveries/${own}`)).toMatchObject({ status: 200 });
    expect(await theirs.as('GET', `/v1/admin/recoveries/${all}`)).toMatchObject({ status: 403 });
    expect(await theirs.as('GET', '/v1/admin/recoveries/x')).toMatchObject({ status: 404 });
  });
});
