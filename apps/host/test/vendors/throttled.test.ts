import { createTestDatabase } from '@waiver-service/database/testing';
import fareharbor from '@waiver-service/plugin-fareharbor';
import {
  fareHarborBooking,
  type SimulatedFareHarbor,
  startFareHarbor,
} from '@waiver-service/plugin-fareharbor/simulator';
import { until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const keys = { appKey: 'app-key-1', userKey: 'user-key-1', shortname: 'rafting' };
const booking = fareHarborBooking();
const other = fareHarborBooking({ uuid: '0d1f6c5e-53b3-4f0c-8d4f-0a3f5c8d2b11' });
// FareHarbor's throttling, which only its plugin can tell from a rejected key.
const throttling = (retryAfter: number) =>
  ({ kind: 'status', status: 403, retryAfter, body: { error: 'Forbidden' } }) as const;

let vendor: SimulatedFareHarbor;
let hosts: readonly [TestHost, TestHost];
let database: { drop(): Promise<void> };

beforeAll(async () => {
  vendor = await startFareHarbor({ ...keys, bookings: [booking, other] });
  const { url, drop } = await createTestDatabase();
  database = { drop };
  const start = () =>
    startTestHost(
      { DATABASE_URL: url },
      {
        pluginPackages: ['@waiver-service/plugin-fareharbor'],
        importPackage: async () => ({ default: fareharbor }),
      },
    );
  const first = await start();
  hosts = [first, await start()];
  await first.call('PUT', '/v1/admin/booking-systems/fareharbor', {
    baseUrl: vendor.url,
    settings: { appKey: keys.appKey },
  });
  await first.preparePool('shore', 'fareharbor');
  const account = { accountId: 1, apiKey: keys.userKey, shortname: keys.shortname };
  await first.call('PUT', '/v1/admin/pools/shore/installations/fareharbor', account);
});
afterAll(async () => {
  for (const host of hosts) await host.close();
  await vendor.close();
  await database.drop();
});

const read = (host: TestHost, uuid: string = booking.uuid) =>
  host.call('GET', `/v1/pools/shore/bookings/${uuid}`);

test('after a throttled read, no host calls the booking system for that time, for reads or writes', async () => {
  const [first, second] = hosts;
  expect((await read(first)).status).toBe(200);
  vendor.faults.next('read', throttling(8));
  const throttledAt = performance.now();
  const refused = await read(first, other.uuid);
  expect(refused).toMatchObject({ status: 503, body: { code: 'booking_system_rate_limited' } });
  expect(refused.headers.get('retry-after')).toMatch(/^[5-8]$/);

  await until(async () => (await read(second)).body.stale === true, 'the other host to know');
  const asked = vendor.received.length;
  for (const host of hosts) {
    expect(await read(host)).toMatchObject({ status: 200, body: { stale: true } });
    const held = await read(host, other.uuid);
    expect(held).toMatchObject({ status: 503, body: { code: 'booking_system_rate_limited' } });
    expect(held.body.message).toMatch(
      /^FareHarbor has asked for fewer requests: it is asked again in [1-8] s$/,
    );
  }
  const waiver = { id: 'w1', bookingId: booking.uuid, answers: { name: 'Ada' } };
  expect((await second.call('POST', '/v1/pools/shore/waivers', waiver)).status).toBe(201);
  expect(vendor.received).toHaveLength(asked);

  await vendor.untilReceived('note', 1, 30_000);
  expect(performance.now() - throttledAt).toBeGreaterThanOrEqual(7_900);
  const { body } = await until(async () => {
    const answer = await read(first, other.uuid);
    return answer.status === 200 && answer;
  }, 'the booking to be read again');
  expect(body).toMatchObject({ stale: false });
});

test('a person who tests the installation asks all the same, and one who resumes it ends the wait', async () => {
  const [first] = hosts;
  vendor.faults.next('read', throttling(30));
  expect((await read(first, other.uuid)).body.stale).toBe(true);
  expect((await read(first)).body.stale).toBe(true);
  const path = '/v1/admin/pools/shore/installations/fareharbor/test';
  expect(await first.call('POST', path, { bookingId: booking.uuid })).toMatchObject({ body: { ok: true } });
  const { items } = (await first.call('GET', '/v1/admin/destinations')).body;
  expect(items).toMatchObject([{ heldUntil: expect.any(String) }]);
  await first.call('POST', `/v1/admin/destinations/${items[0].id}/resume`);
  expect((await read(first)).body.stale).toBe(false);
});
