import { octoBooking, type SimulatedOcto, startOcto } from '@waiver-service/plugin-octo/simulator';
import { type TestCaller, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const apiKey = 'octo-account-key';
const installation = '/v1/admin/pools/kayaks/installations/octo';
const account = { accountId: 'kayaks', apiKey };
let system: SimulatedOcto;
let host: TestHost;
let app: TestCaller;

beforeAll(async () => {
  [system, host] = await Promise.all([startOcto({ apiKey }), startTestHost()]);
  app = await host.makePool('kayaks');
  await host.admin('PUT', '/v1/admin/booking-systems/octo', { baseUrl: system.url });
});
afterAll(async () => {
  await host.close();
  await system.close();
});

const tickets = () =>
  system.bookings.get(octoBooking.uuid)?.unitItems.map(({ supplierReference }) => supplierReference);

/** Signs, waits for the booking system to have it, and tells whether every ticket is still the one it was. */
async function keepsTickets(id: string, name: string): Promise<boolean> {
  const before = tickets();
  const bookingGuestId = octoBooking.unitItems[1]?.uuid;
  const answers = { name };
  const waiver = { id, bookingId: octoBooking.uuid, bookingGuestId, answers };
  expect((await app('POST', '/v1/pools/kayaks/waivers', waiver)).status).toBe(201);
  await until(async () => {
    const { body } = await app('GET', `/v1/pools/kayaks/waivers/${id}`);
    return body.deliveries[0]?.state === 'delivered';
  }, `the delivery of ${id}`);
  expect(system.bookings.get(octoBooking.uuid)?.notes).toContain(`name: ${name}`);
  return JSON.stringify(tickets()) === JSON.stringify(before);
}

test('tickets are reissued once at most, and not again until an operator allows it', async () => {
  const install = async (changes: object) => {
    expect((await host.admin('PUT', installation, { ...account, ...changes })).status).toBe(200);
    expect((await host.admin('PATCH', installation, { shareProperties: ['name'] })).status).toBe(200);
  };
  await install({});
  expect(await keepsTickets('w1', 'Ana')).toBe(true);
  await install({ changesUnitItems: true });
  expect(await keepsTickets('w2', 'Bo')).toBe(false);
  expect(await keepsTickets('w3', 'Cy')).toBe(true);
  await install({ changesUnitItems: true });
  expect(await keepsTickets('w4', 'Di')).toBe(false);
});

test('a booking system that installs itself allows itself nothing', async () => {
  const { installKey: key } = await host.preparePool('kayaks', 'octo');
  const sent = { key, pool: 'kayaks', ...account, changesUnitItems: true };
  const { status } = await host.as(null)('POST', '/integration/install/octo', sent);
  expect(status).toBe(200);
  expect(await keepsTickets('w5', 'El')).toBe(true);
});
