import type { RequestLimits } from '@waiver-service/core';
import { createTestDatabase } from '@waiver-service/database/testing';
import rezdy from '@waiver-service/plugin-rezdy';
import { rezdyBooking, type SimulatedRezdy, startRezdy } from '@waiver-service/plugin-rezdy/simulator';
import { until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const limits: RequestLimits = {
  per: 'installation',
  windows: [
    { requests: 8, windowMs: 1_500 },
    { requests: 24, windowMs: 6_000 },
  ],
};

let vendor: SimulatedRezdy;
let hosts: readonly TestHost[];
let database: { drop(): Promise<void> };

const startLimited = (requestLimits: RequestLimits, variables: Readonly<Record<string, string>> = {}) => {
  const plugin = { ...rezdy, capabilities: { ...rezdy.capabilities, requestLimits } };
  return startTestHost(
    // Twice as long as a read waits for its turn: one that was let through must have time for its answer.
    { OUTBOUND_TIMEOUT: '4s', ...variables },
    {
      pluginPackages: ['@waiver-service/plugin-rezdy'],
      importPackage: async () => ({ default: plugin }),
    },
  );
};

async function install(host: TestHost): Promise<void> {
  await host.call('PUT', '/v1/admin/booking-systems/rezdy', { baseUrl: vendor.url });
  await host.preparePool('shore', 'rezdy');
  const account = { accountId: 1, apiKey: 'k' };
  expect((await host.call('PUT', '/v1/admin/pools/shore/installations/rezdy', account)).status).toBe(200);
}

const readBy = (host: TestHost, place: number) =>
  host.call('GET', `/v1/pools/shore/bookings/${rezdyBooking.orderNumber}-${place}`);

beforeAll(async () => {
  vendor = await startRezdy({ apiKey: 'k', alsoChangeable: ['internalNotes'] });
  for (let place = 0; place < 100; place += 1) {
    vendor.put({ ...rezdyBooking, orderNumber: `${rezdyBooking.orderNumber}-${place}` });
  }
  const { url, drop } = await createTestDatabase();
  database = { drop };
  const first = await startLimited(limits, { DATABASE_URL: url });
  hosts = [first, await startLimited(limits, { DATABASE_URL: url })];
  await install(first);
});
afterAll(async () => {
  for (const host of hosts) await host.close();
  await vendor.close();
  await database.drop();
});

test('a read beyond the limit is a 503 with Retry-After, or the last booking', async () => {
  vendor.limitRequests([]);
  // A window that no machine is too slow for.
  const host = await startLimited({ per: 'installation', windows: [{ requests: 8, windowMs: 3_600_000 }] });
  try {
    await install(host);
    expect(await readBy(host, 50)).toMatchObject({ status: 200, body: { stale: false } });
    let next = 60;
    const refused = await until(async () => {
      const answer = await readBy(host, next++);
      return answer.status !== 200 && answer;
    }, 'a read beyond the limit');
    expect(refused).toMatchObject({ status: 503, body: { code: 'booking_system_rate_limited' } });
    expect(refused.body.message).toMatch(/^Rezdy was not asked: .*\(8 in 3600 s\)/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(await readBy(host, 50)).toMatchObject({ status: 200, body: { stale: true } });
  } finally {
    await host.close();
  }
});
