import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import { startSystemFor, startTestHost, type TestHost, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let host: TestHost;
let bookingSystem: SimulatedBookingSystem;
let poolKey: string;
let otherPoolKey: string;

beforeAll(async () => {
  bookingSystem = await startSystemFor('standard', { apiKey: 'partner-key' });
  host = await startTestHost();
  await host.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: bookingSystem.url });
  const install = async (pool: string) => {
    const { installKey: key } = await host.preparePool(pool);
    const call = { baseUrl: host.url, installName: 'standard', key, pool, accountId: 1 };
    return (await bookingSystem.install(call)).appPoolKey;
  };
  poolKey = await install('east');
  otherPoolKey = await install('west');
});
afterAll(async () => {
  await host.close();
  await bookingSystem.close();
});

const inbound = (
  body: unknown,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) => host.call('POST', `/integration/webhook/standard${query}`, body, { token: null, headers });

test('a call with the app pool key names the booking back, and the booking is read in the background', async () => {
  const [booking] = bookingSystem.bookings.all;
  const id = booking?.id ?? '';
  const before = bookingSystem.received.length;
  expect(await inbound({ id, pool: 'east' }, { headers: { 'api-key': poolKey } })).toMatchObject({
    status: 200,
    body: { success: true, bookings: [{ id }] },
  });
  const reads = await until(() => {
    const since = bookingSystem.received.slice(before);
    return since.length > 0 && since;
  }, 'the booking to be read again');
  expect(reads[0]?.path).toBe(`/bookings/${encodeURIComponent(id)}?pool=east`);
});

test('a change that is announced while the booking is being read is read, and the late answer does not replace it', async () => {
  const booking = bookingSystem.bookings.get('BK-1001');
  if (booking === undefined) throw new Error('there is no BK-1001');
  const read = () => host.call('GET', '/v1/pools/east/bookings/BK-1001');
  const before = bookingSystem.received.length;
  const since = (count: number) => bookingSystem.untilReceived('read', (all) => all.length >= before + count);
  bookingSystem.faults.next('read', { kind: 'slow-body', bytesPerSecond: 600 });
  const first = read();
  await since(1);
  bookingSystem.bookings.replace({ ...booking, status: 'Cancelled' });
  await inbound({ id: 'BK-1001', pool: 'east', key: poolKey });
  await since(2);
  await first;
  bookingSystem.faults.always('read', { kind: 'status', status: 503 });
  expect(await read()).toMatchObject({ body: { stale: true, booking: { status: 'Cancelled' } } });
  bookingSystem.faults.clear();
});

test('the key may stand in the body or in the query, and a number is a booking id too', async () => {
  expect(await inbound({ id: 7, pool: 'east', key: poolKey })).toMatchObject({
    status: 200,
    body: { bookings: [{ id: '7' }] },
  });
  expect(await inbound({ id: 'x', pool: 'east' }, { query: `?key=${poolKey}` })).toMatchObject({
    status: 200,
  });
  expect(host.lines.join('')).not.toContain(poolKey);
  expect(host.lines.join('')).toContain('?key=[redacted]');
});

test('without a key of this booking system it is a 401, whatever the body', async () => {
  expect((await inbound({ id: 'x', pool: 'east' })).status).toBe(401);
  expect((await inbound({ id: 'x', pool: 'east', key: 'wrong' })).status).toBe(401);
  expect(
    (await inbound('{not json', { headers: { 'api-key': 'wrong', 'content-type': 'application/json' } }))
      .status,
  ).toBe(401);
  const elsewhere = await host.call(
    'POST',
    '/integration/webhook/standard-query',
    { id: 'x', pool: 'east', key: poolKey },
    { token: null },
  );
  expect(elsewhere.status).toBe(401);
});

test('a key opens its own pool only', async () => {
  const answer = await inbound({ id: 'x', pool: 'east' }, { headers: { 'api-key': otherPoolKey } });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const before400 = await inbound({ id: '\u0000', pool: 'east' }, { headers: { 'api-key': otherPoolKey } });
  expect(before400.status).toBe(403);
});

test('a booking that is named badly is a 400 that says so', async () => {
  for (const [body, path] of [
    [{ id: '', pool: 'east' }, 'id'],
    [{ id: 'x'.repeat(257), pool: 'east' }, 'id'],
    [{ id: 'x' }, 'pool'],
    [{ id: {}, pool: 'east' }, 'id'],
  ] as const) {
    const answer = await inbound(body, { headers: { 'api-key': poolKey } });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
  }
});

test('a call may bring a large booking, of 1 MiB at most', async () => {
  const headers = { 'api-key': poolKey };
  const large = (kibibytes: number) => ({ id: 'x', pool: 'east', booking: 'x'.repeat(kibibytes * 1024) });
  expect(await inbound(large(900), { headers })).toMatchObject({ status: 200 });
  expect(await inbound(large(1025), { headers })).toMatchObject({ status: 413 });
});
