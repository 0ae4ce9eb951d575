import {
  accountKey,
  adminToken,
  malformed,
  prepareInstalled,
  problem,
  rawCall,
  startSystemFor,
  startTestHost,
} from '@waiver-service/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

const { host, system, app, close } = await prepareInstalled(
  startTestHost({ settings: { outboundTimeout: 5_000 } }),
  { prefillProperties: ['notes', 'shoeSize'] },
);
const querySystem = await startSystemFor('standard-query');
afterAll(() => Promise.all([close(), querySystem.close()]));
afterEach(() => system.faults.clear());

const read = (bookingId: string, query = '') =>
  app('GET', `/v1/pools/rafting/bookings/${encodeURIComponent(bookingId)}${query}`);

describe('reading a booking', () => {
  it('answers the booking, what its guests’ waivers start with, and who has signed', async () => {
    const { status, body } = await read('BK-1001');
    expect(status).toBe(200);
    expect(body).toEqual({
      bookingSystem: 'standard',
      form: 'current',
      booking: expect.objectContaining({ id: 'BK-1001', status: 'Active', pax: 3 }),
      guests: [
        {
          bookingGuestId: 'G-1',
          prefill: {
            name: 'Zoë Bäcker',
            email: 'zoe@example.com',
            phoneNumber: '+43 512 123456',
            notes: 'Anreise mit dem Zug 🚆',
            shoeSize: 39,
          },
          signed: false,
        },
        {
          bookingGuestId: 'G-2',
          prefill: { name: '李小龍', email: 'li@example.com', notes: 'Anreise mit dem Zug 🚆' },
          signed: false,
        },
        {
          bookingGuestId: 'G-3',
          prefill: { name: 'Siobhán Ní Dhúill', notes: 'Anreise mit dem Zug 🚆' },
          signed: false,
        },
      ],
      waivers: {
        signed: 0,
        pax: 3,
        missing: [
          { bookingGuestId: 'G-1', name: 'Zoë Bäcker' },
          { bookingGuestId: 'G-2', name: '李小龍' },
          { bookingGuestId: 'G-3', name: 'Siobhán Ní Dhúill' },
        ],
      },
      warnings: [],
      fetchedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      stale: false,
    });
  });

  it('asks with the pool and the account’s key, and with nothing secret in the address', async () => {
    await read('BK-1001');
    const request = system.received.at(-1);
    expect(request?.path).toBe('/bookings/BK-1001?pool=rafting');
    expect(request?.headers['api-key']).toBe('key-of-the-account');
  });

  it('offers the contact if no guests are named', async () => {
    const { body } = await read('BK-1003');
    expect(body).toMatchObject({
      guests: [],
      booker: { name: expect.any(String) },
      waivers: { signed: 0, missing: [] },
    });
  });

  it('finds a booking whose id is hostile to addresses', async () => {
    const id = 'BK/? #%2F+& é🚆';
    const first = system.bookings.all[0];
    if (first) system.bookings.add({ ...first, id });
    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ booking: { id } });
  });

  it('says that a booking system has no such booking', async () => {
    const { status, body } = await read('none');
    expect(status).toBe(404);
    expect(body).toMatchObject({
      success: false,
      code: 'booking_not_found',
      message: expect.stringContaining('none'),
    });
  });

  it('refuses query parameters that it does not know, and an id that is too long', async () => {
    expect(await read('BK-1001', '?bookingsystem=standard')).toMatchObject({ status: 400 });
    expect(await read('b'.repeat(256))).toMatchObject({ status: 404 });
    expect(await read('b'.repeat(257))).toMatchObject(malformed('booking_id'));
  });
});

describe('which booking system is read', () => {
  it('none installed is a 424; the first is the default; of several without a default one must be named', async () => {
    const caller = await host.makePool('canyoning');
    const path = '/v1/pools/canyoning/bookings/BK-1001';
    expect(await caller('GET', path)).toMatchObject(problem(424, 'not_installed'));
    expect(await caller('GET', `${path}?bookingSystem=standard`)).toMatchObject(
      problem(424, 'not_installed'),
    );

    await host.connect('standard-query', querySystem, 'canyoning');
    expect(await caller('GET', path)).toMatchObject({
      status: 200,
      body: { bookingSystem: 'standard-query' },
    });
    expect(querySystem.received.at(-1)?.path).toMatch(
      /^\/bookings\?(id=BK-1001&pool=canyoning|pool=canyoning&id=BK-1001)$/,
    );
    expect(querySystem.received.at(-1)?.headers.authentication).toBe('key-of-the-account');

    await host.connect('standard', system, 'canyoning');
    expect(await caller('GET', path)).toMatchObject({
      status: 200,
      body: { bookingSystem: 'standard-query' },
    });
    const pool = '/v1/admin/pools/canyoning';
    await host.admin('PUT', pool, { name: 'Canyoning', defaultBookingSystem: null });
    expect(await caller('GET', path)).toMatchObject({
      status: 409,
      body: { code: 'booking_system_ambiguous', message: expect.stringContaining('standard-query') },
    });
    expect(await caller('GET', `${path}?bookingSystem=standard`)).toMatchObject({
      status: 200,
      body: { bookingSystem: 'standard' },
    });
  });

  it('404 for an unknown pool, for the admin token', async () => {
    expect(await host.admin('GET', '/v1/pools/nowhere/bookings/BK-1001')).toMatchObject(
      problem(404, 'unknown_pool'),
    );
  });
});

describe('a booking system that does not answer well', () => {
  const fresh = () => {
    const first = system.bookings.all[0];
    const id = `BK-${Math.random()}`;
    if (first) system.bookings.add({ ...first, id });
    return id;
  };

  it.each([
    ['401', { kind: 'status', status: 401 }, 502, 'booking_system_auth_rejected'],
    ['404 of a proxy', { kind: 'html', status: 404 }, 404, 'booking_not_found'],
    ['429', { kind: 'status', status: 429 }, 503, 'booking_system_rate_limited'],
    ['500', { kind: 'status', status: 500 }, 502, 'booking_system_error'],
    ['a page', { kind: 'html' }, 502, 'invalid_booking_response'],
    ['silence', { kind: 'hang' }, 504, 'booking_system_timeout'],
  ] as const)('%s', async (_, fault, status, code) => {
    system.faults.always('read', fault);
    const answer = await read(fresh());
    expect(answer).toMatchObject({ status, body: { success: false, code } });
    expect(JSON.stringify(answer.body)).not.toContain('key-of-the-account');
    if (status === 503) expect(answer.headers.get('retry-after')).toBe('60');
  });

  it('that is gone altogether gives the last good answer', async () => {
    const gone = await startSystemFor('standard-query');
    const caller = await host.makePool('gone');
    await host.connect('standard-query', gone, 'gone');
    const path = '/v1/pools/gone/bookings/BK-1001';
    expect(await caller('GET', path)).toMatchObject({ status: 200, body: { stale: false } });
    await gone.close();
    expect(await caller('GET', path)).toMatchObject({ status: 200, body: { stale: true } });
    expect(await caller('GET', '/v1/pools/gone/bookings/BK-1002')).toMatchObject(
      problem(502, 'booking_system_error'),
    );
  });
});

it('a read after a change of the key is not answered by a request with the former one', async () => {
  const install = (apiKey: string) =>
    host.admin('PUT', '/v1/admin/pools/rafting/installations/standard', { accountId: 4711, apiKey });
  system.faults.next('read', { kind: 'latency', milliseconds: 300 });
  const before = system.received.length;
  const first = read('BK-1001');
  await system.untilReceived('read', (requests) => requests.length > before);
  await install('another-key');
  // The booking system does not know it: the booking stored with the former key is not returned in its place.
  expect(await read('BK-1001')).toMatchObject(problem(502, 'booking_system_auth_rejected'));
  expect(await first).toMatchObject({ status: 200, body: { stale: false } });
  expect(system.received.slice(before).map(({ headers }) => headers['api-key'])).toEqual([
    accountKey,
    'another-key',
  ]);
  await install(accountKey);
  expect(await read('BK-1001')).toMatchObject({ status: 200, body: { stale: false } });
});

describe('concurrent reads of one booking', () => {
  it('share one request', async () => {
    // Long enough for all ten to arrive, also on a busy machine.
    system.faults.next('read', { kind: 'latency', milliseconds: 1_500 });
    const before = system.received.length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => read('BK-1002')));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(system.received.length - before).toBe(1);
  });

  it('a body that nobody asked for ends nothing', async () => {
    const bytes = `GET /v1/pools/rafting/bookings/BK-1001 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n`;
    system.faults.next('read', { kind: 'latency', milliseconds: 200 });
    expect(await rawCall(host.url, `${bytes}{}`)).toMatchObject({ status: 200 });
  });
});
