import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import {
  accountKey,
  problem,
  startSystemFor,
  startTestHost,
  type TestHost,
  textAt,
  until,
} from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownApi } from '../setup/own-api.ts';

let host: TestHost;

describe('install and uninstall', () => {
  let installKey: string;
  let otherSystemsKey: string;

  beforeAll(async () => {
    host = await startTestHost();
    ({ installKey } = await host.preparePool('north'));
    otherSystemsKey = (await host.preparePool('south', 'standard-query')).installKey;
  });
  afterAll(() => host.close());

  let addresses = 0;
  /** Calls as a booking system does, without a token. */
  const call = (action: 'install' | 'uninstall', body: unknown, name = 'standard') =>
    host.call('POST', `/integration/${action}/${name}`, body, { token: null });
  const account = { accountId: 17, apiKey: 'partner-key' };
  const installBody = (changes: object = {}) => ({ key: installKey, pool: 'north', ...account, ...changes });
  const poolNamed = async () => {
    addresses += 1;
    const pool = `pool-${addresses}`;
    await host.call('PUT', `/v1/admin/pools/${pool}`, { name: pool });
    return pool;
  };

  test('installing answers the webhook address and a new app pool key', async () => {
    const { status, body } = await call('install', installBody());
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: expect.stringMatching(/./),
      webhookUrl: `${host.url}/integration/webhook/standard`,
      apiKey: expect.stringMatching(/^wsp_[\w-]{43}$/),
    });
  });

  test('another account is a 409 until the first is uninstalled', async () => {
    const pool = await poolNamed();
    await call('install', installBody({ pool }));
    expect(await call('install', installBody({ pool, accountId: 18 }))).toMatchObject(
      problem(409, 'other_account'),
    );
    expect(await call('uninstall', installBody({ pool, accountId: 18 }))).toMatchObject(
      problem(403, 'other_account'),
    );
    // The partner may have changed its own key since.
    expect(await call('uninstall', installBody({ pool, apiKey: 'rotated' }))).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await call('install', installBody({ pool, accountId: 18 }))).status).toBe(200);
  });

  test('uninstalling ends the app pool key at once, and twice is fine', async () => {
    const pool = await poolNamed();
    const { body } = await call('install', installBody({ pool }));
    await call('uninstall', installBody({ pool }));
    const inbound = await host.call(
      'POST',
      '/integration/webhook/standard',
      { id: 'b1', pool },
      { token: null, headers: { 'api-key': body.apiKey } },
    );
    expect(inbound.status).toBe(401);
    const again = await call('uninstall', installBody({ pool }));
    expect(again).toMatchObject({
      status: 200,
      body: { success: true, message: expect.stringContaining('was not installed') },
    });
  });

  describe('who does not have the key learns nothing', () => {
    test.each([
      ['no key', { key: undefined }],
      ['a wrong key', { key: 'wsi_wrong' }],
      ['a key that is no text', { key: 5 }],
      ['a wrong key and nothing else that is right', { key: 'wrong', pool: 5, accountId: null, apiKey: [] }],
      ['a wrong key and a text that cannot be stored', { key: 'wrong', pool: '\u0000' }],
      ['a wrong key and an unknown pool', { key: 'wrong', pool: 'nowhere' }],
    ])('%s', async (_what, changes) => {
      // Each from a fresh host: wrong keys are counted by address.
      const answer = await call('install', installBody(changes), 'standard');
      expect(answer).toMatchObject(problem(401, 'unauthorized'));
    });

    test('the key of one booking system installs nothing for another', async () => {
      expect(await call('install', installBody({ key: otherSystemsKey }))).toMatchObject({ status: 401 });
      expect(await call('install', installBody(), 'standard-query')).toMatchObject({ status: 401 });
      const right = await call('install', installBody({ key: otherSystemsKey }), 'standard-query');
      expect(right.status).toBe(200);
    });
  });

  describe('a malformed body names each field', () => {
    test.each<[object, string]>([
      [{ pool: undefined }, 'pool'],
      [{ pool: '' }, 'pool'],
      [{ pool: 'x'.repeat(129) }, 'pool'],
      [{ accountId: undefined }, 'accountId'],
      [{ accountId: '' }, 'accountId'],
      [{ accountId: true }, 'accountId'],
      [{ apiKey: undefined }, 'apiKey'],
      [{ apiKey: 'line\nbreak' }, 'apiKey'],
      [{ note: 'half \ud800' }, 'note'],
    ])('%j', async (changes, path) => {
      const { status, body } = await call('install', installBody(changes));
      expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
    });

    test('all of them at once', async () => {
      const { body } = await call('install', { key: installKey });
      expect(body.errors.map((error: { path: string }) => error.path)).toEqual([
        'pool',
        'accountId',
        'apiKey',
      ]);
    });

    test('an account id that JSON cannot carry exactly', async () => {
      const text = JSON.stringify(installBody()).replace('"accountId":17', '"accountId":9007199254740993');
      const { status, body } = await host.call('POST', '/integration/install/standard', text, {
        token: null,
        headers: { 'content-type': 'application/json' },
      });
      expect([status, body.errors[0].path]).toEqual([400, 'accountId']);
    });
  });

  test('an unknown booking system or pool is a helpful 404', async () => {
    const unknown = await call('install', installBody(), 'no-such-system');
    expect(unknown).toMatchObject(problem(404, 'unknown_booking_system'));
    expect(unknown.body.message).toContain('standard, standard-query');
    expect(await call('install', installBody({ pool: 'nowhere' }))).toMatchObject(
      problem(404, 'unknown_pool'),
    );
    expect(await call('uninstall', installBody({ pool: 'nowhere' }))).toMatchObject(
      problem(404, 'unknown_pool'),
    );
  });

  test('a body over 64 KiB is a 413, one that is not JSON a 415', async () => {
    expect(await call('install', installBody({ note: 'x'.repeat(65 * 1024) }))).toMatchObject({
      status: 413,
    });
    const form = await host.call('POST', '/integration/install/standard', 'key=x', {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(415);
  });

  test('no key and no account is in the log', async () => {
    await call(
      'install',
      installBody({ pool: await poolNamed(), apiKey: 'planted-partner-key', secretNote: 'planted-note' }),
    );
    const log = host.lines.join('');
    for (const secret of ['planted-partner-key', 'planted-note', installKey])
      expect(log).not.toContain(secret);
  });
});

describe('who approves an installation', () => {
  let system: SimulatedBookingSystem;
  let stranger: SimulatedBookingSystem;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    [host, system, stranger] = await Promise.all([
      startTestHost({ plugins: [ownApi] }),
      startSystemFor('standard'),
      startSystemFor('standard-query'),
    ]);
    for (const [name, { url }] of [['standard', system] as const, ['standard-query', stranger] as const]) {
      await host.admin('PUT', `/v1/admin/booking-systems/${name}`, { baseUrl: url });
      const made = await host.admin('POST', `/v1/admin/booking-systems/${name}/install-keys`, {});
      keys[name] = textAt(made.body, 'key');
    }
  });
  afterAll(async () => {
    await host?.close();
    await system?.close();
    await stranger?.close();
  });

  const call = (action: 'install' | 'uninstall', name: string, pool: string, accountId = 1) =>
    host.call(
      'POST',
      `/integration/${action}/${name}`,
      { key: keys[name], pool, accountId, apiKey: accountKey },
      { token: null },
    );
  const installations = (pool: string) => `/v1/admin/pools/${pool}/installations`;
  const statuses = async (pool: string) => {
    const { body } = await host.admin('GET', installations(pool));
    return Object.fromEntries(
      body.items.map((item: { bookingSystem: string; status: string }) => [item.bookingSystem, item.status]),
    );
  };
  const defaultOf = async (pool: string) =>
    (await host.admin('GET', `/v1/admin/pools/${pool}`)).body.defaultBookingSystem;

  test('a second booking system that installs itself changes and reads nothing until it is approved', async () => {
    const app = await host.makePool('rafting');
    const booking = '/v1/pools/rafting/bookings/BK-1001';
    await call('install', 'standard', 'rafting');
    expect(await statuses('rafting')).toEqual({ standard: 'active' });

    const installed = await call('install', 'standard-query', 'rafting');
    expect(installed).toMatchObject({
      status: 200,
      body: {
        success: true,
        webhookUrl: expect.stringContaining('standard-query'),
        apiKey: expect.stringMatching(/^wsp_/),
        message: expect.stringContaining('approved'),
      },
    });
    expect(await statuses('rafting')).toEqual({ standard: 'active', 'standard-query': 'pending' });
    expect(await app('GET', booking)).toMatchObject({ status: 200, body: { bookingSystem: 'standard' } });
    const signed = await app('POST', '/v1/pools/rafting/waivers', {
      bookingId: 'BK-1001',
      answers: { name: 'Ann' },
    });
    expect(signed).toMatchObject({ status: 201, body: { bookingSystem: 'standard' } });

    expect(await app('GET', `${booking}?bookingSystem=standard-query`)).toMatchObject({
      status: 424,
      body: { code: 'not_installed', message: expect.stringContaining('approve') },
    });
    const tested = await host.admin('POST', `${installations('rafting')}/standard-query/test`, {
      bookingId: 'BK-1001',
    });
    expect(tested).toMatchObject({ status: 200, body: { ok: false, code: 'not_installed' } });
    const inbound = () =>
      host.call(
        'POST',
        '/integration/webhook/standard-query',
        { id: 'BK-1001', pool: 'rafting' },
        { token: null, headers: { 'api-key': installed.body.apiKey } },
      );
    expect(await inbound()).toMatchObject({ status: 200, body: { success: true, bookings: [] } });
    const theirs = await app('POST', '/v1/pools/rafting/waivers', {
      bookingId: 'BK-1001',
      bookingSystem: 'standard-query',
      lastVisit: '2027-06-12T07:30:00Z',
      answers: { name: 'Bo' },
    });
    expect(theirs.status).toBe(201);
    const path = `/v1/pools/rafting/waivers/${theirs.body.id}`;
    expect((await app('GET', path)).body.deliveries).toEqual([]);
    expect(stranger.received).toEqual([]);

    const approved = await host.admin('POST', `${installations('rafting')}/standard-query/approve`);
    expect(approved).toMatchObject({
      status: 200,
      body: {
        bookingSystem: 'standard-query',
        status: 'active',
        approvedBy: 'admin-token',
        approvedAt: expect.any(String),
      },
    });
    expect(await inbound()).toMatchObject({ status: 200, body: { bookings: [{ id: 'BK-1001' }] } });
    await until(() => stranger.received.length > 0, 'the booking to be read');
    expect(await app('GET', booking)).toMatchObject({ status: 200, body: { bookingSystem: 'standard' } });
    expect((await app('GET', path)).body.deliveries).toEqual([]);
    await app('PATCH', path, { currentPage: null });
    expect((await app('GET', path)).body.deliveries).toMatchObject([{ kind: 'guest-update', version: 2 }]);
  });

  test('reinstalling the same account needs no approval, and a pending one stays pending; another account is a 409', async () => {
    await host.makePool('again');
    await call('install', 'standard', 'again');
    await call('install', 'standard-query', 'again');
    expect((await call('install', 'standard', 'again')).status).toBe(200);
    expect((await call('install', 'standard-query', 'again')).status).toBe(200);
    expect(await statuses('again')).toEqual({ standard: 'active', 'standard-query': 'pending' });
    expect(await call('install', 'standard-query', 'again', 2)).toMatchObject(problem(409, 'other_account'));
    expect((await call('uninstall', 'standard-query', 'again')).status).toBe(200);
    expect(await statuses('again')).toEqual({ standard: 'active' });
  });

  test('an installation by an operator is approved, even if it was pending', async () => {
    await host.makePool('by-hand', { installs: 'approve' });
    await call('install', 'standard', 'by-hand');
    expect(await statuses('by-hand')).toEqual({ standard: 'pending' });
    expect(await defaultOf('by-hand')).toBeNull();
    const put = (name: string) =>
      host.admin('PUT', `${installations('by-hand')}/${name}`, { accountId: 1, apiKey: accountKey });
    expect((await put('standard')).status).toBe(200);
    expect((await put('standard-query')).status).toBe(200);
    expect(await statuses('by-hand')).toEqual({ standard: 'active', 'standard-query': 'active' });
    expect(await defaultOf('by-hand')).toBe('standard');
  });

  test('a pool with `any` needs no approval; the first installation becomes the default', async () => {
    await host.makePool('any', { installs: 'any' });
    await call('install', 'standard-query', 'any');
    await call('install', 'standard', 'any');
    expect(await statuses('any')).toEqual({ standard: 'active', 'standard-query': 'active' });
    expect(await defaultOf('any')).toBe('standard-query');
  });

  test('of two that install themselves at once, one has to wait', async () => {
    await host.makePool('at-once');
    await Promise.all(['standard', 'standard-query'].map((name) => call('install', name, 'at-once')));
    expect(Object.values(await statuses('at-once')).toSorted()).toEqual(['active', 'pending']);
  });

  test('an operator sets the default; after uninstalling it, the only other one is the default, and of several none', async () => {
    await host.makePool('defaults', { installs: 'any' });
    const set = (defaultBookingSystem: unknown) =>
      host.admin('PUT', '/v1/admin/pools/defaults', { name: 'defaults', defaultBookingSystem });
    expect(await set('standard')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'defaultBookingSystem', message: expect.stringContaining('none is') }] },
    });
    for (const name of ['standard', 'standard-query', 'own-api']) {
      const path = `${installations('defaults')}/${name}`;
      await host.admin('PUT', path, { accountId: 1, apiKey: accountKey, shortname: 's1' });
    }
    expect(await set('standard-query')).toMatchObject({
      status: 200,
      body: { defaultBookingSystem: 'standard-query', installs: 'any' },
    });
    await host.admin('PUT', '/v1/admin/pools/defaults', { name: 'Renamed' });
    expect(await defaultOf('defaults')).toBe('standard-query');
    await host.admin('DELETE', `${installations('defaults')}/standard-query`);
    expect(await defaultOf('defaults')).toBeNull();
    await host.admin('DELETE', `${installations('defaults')}/own-api`);
    expect(await defaultOf('defaults')).toBe('standard');
    await host.admin('DELETE', `${installations('defaults')}/standard`);
    expect(await defaultOf('defaults')).toBeNull();
  });

  test('a pending booking system cannot be the default; only operators approve, and only existing installations', async () => {
    const app = await host.makePool('refused', { installs: 'approve' });
    await call('install', 'standard', 'refused');
    const settings = { name: 'refused', defaultBookingSystem: 'standard' };
    expect((await host.admin('PUT', '/v1/admin/pools/refused', settings)).status).toBe(400);
    const approve = `${installations('refused')}/standard/approve`;
    expect((await app('POST', approve)).status).toBe(403);
    expect(await host.admin('POST', `${installations('refused')}/standard-query/approve`)).toMatchObject(
      problem(404, 'not_installed'),
    );
    expect((await host.admin('POST', `${installations('nowhere')}/standard/approve`)).status).toBe(404);
    expect((await host.admin('POST', `${installations('refused')}/nope/approve`)).status).toBe(404);
    expect((await host.admin('POST', approve)).status).toBe(200);
    expect((await host.admin('POST', approve)).status).toBe(200);
    expect(await defaultOf('refused')).toBe('standard');
  });
});
