import type { RequestLimits } from '@waiver-service/core';
import rezdy from '@waiver-service/plugin-rezdy';
import { rezdyBooking, type SimulatedRezdy, startRezdy } from '@waiver-service/plugin-rezdy/simulator';
import { createTestDatabase } from '@waiver-service/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost, until } from '../harness/test-host.ts';

const limits: RequestLimits = {
  per: 'installation',
  windows: [
    { requests: 8, windowMs: 1_500 },
    { requests: 24, windowMs: 6_000 },
  ],
};
// Requests do not arrive as regularly as they leave, on a busy machine least of all.
const timeoutMs = 600;

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

const hostFor = (place: number): TestHost => {
  const host = hosts[place % hosts.length];
  if (host === undefined) throw new Error('no host');
  return host;
};
const read = (place: number) => readBy(hostFor(place), place);

test('two hosts keep several windows, whatever reads and writes make of requests; no attempt is used by waiting', async () => {
  const limited = vendor.limitRequests(
    limits.windows.map(({ requests, windowMs }) => ({ requests, windowMs: windowMs - timeoutMs })),
  );
  const ids = Array.from({ length: 12 }, (_, place) => `w-${place}`);
  for (const [place, id] of ids.entries()) {
    const bookingId = `${rezdyBooking.orderNumber}-${place}`;
    const waiver = { id, bookingId, answers: { name: 'Ada' } };
    expect((await hostFor(place).call('POST', '/v1/pools/shore/waivers', waiver)).status).toBe(201);
  }
  // Two at a time, so that reads do not use up the budget.
  const statuses: number[] = [];
  for (let place = 20; place < 44; place += 2) {
    const answers = await Promise.all([read(place), read(place + 1)]);
    statuses.push(...answers.map(({ status }) => status));
  }
  const deliveries = await until(async () => {
    const { body } = await hostFor(0).call('GET', '/v1/admin/deliveries?state=delivered&limit=100');
    return body.items.length === ids.length && body.items;
  }, 'every waiver to be delivered');
  for (const { id } of deliveries) {
    const { body } = await hostFor(1).call('GET', `/v1/admin/deliveries/${id}`);
    expect(body.attempts).toMatchObject([{ outcome: 'accepted' }]);
  }
  expect(limited.refused).toBe(0);
  expect(new Set(statuses)).toContain(200);
  for (const status of statuses) expect([200, 503]).toContain(status);
});
