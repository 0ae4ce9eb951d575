import { createTestDatabase } from '@waiver-service/database/testing';
import { rollerBooking, type SimulatedRoller, startRoller } from '@waiver-service/plugin-roller/simulator';
import { longTest } from '@waiver-service/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encryptionKeys, startTestHost, type TestHost } from '../harness/test-host.ts';

const credentials = { clientId: 'venue-client', clientSecret: 'venue-secret-1' };
const bookings = Array.from({ length: 6 }, (_, place) => ({
  ...rollerBooking,
  uniqueId: `5b0c3c1e-7f0d-4a53-9a3f-00000000000${place}`,
  bookingReference: `9100442${place}`,
}));

let system: SimulatedRoller;
let database: { readonly url: string; drop(): Promise<void> };
let hosts: readonly TestHost[];

beforeEach(async () => {
  [system, database] = await Promise.all([startRoller({ ...credentials, bookings }), createTestDatabase()]);
  const variables = { DATABASE_URL: database.url, ENCRYPTION_KEYS: encryptionKeys };
  const first = await startTestHost(variables);
  hosts = [first, await startTestHost(variables)];
  const { clientId, clientSecret: apiKey } = credentials;
  await first.call('PUT', '/v1/admin/pools/jump', { name: 'jump' });
  await first.call('PUT', '/v1/admin/booking-systems/roller', { baseUrl: system.url });
  const account = { accountId: 20711, apiKey, clientId };
  const { status } = await first.call('PUT', '/v1/admin/pools/jump/installations/roller', account);
  expect(status).toBe(200);
});
afterEach(async () => {
  for (const host of hosts) await host.close();
  await Promise.all([system.close(), database.drop()]);
});

/** Reads every booking by every host, all at once. */
async function readAll(): Promise<number[]> {
  const reads = hosts.flatMap((host) =>
    bookings.map(({ uniqueId }) => host.call('GET', `/v1/pools/jump/bookings/${uniqueId}`)),
  );
  return (await Promise.all(reads)).map(({ status }) => status);
}

const routes = () => system.received.map(({ route }) => route);
const count = (wanted: string) => routes().filter((route) => route === wanted).length;

test('ROLLER’s token is opened and renewed by two hosts at once exactly once', async () => {
  expect(new Set(await readAll())).toEqual(new Set([200]));
  expect(count('token')).toBe(1);
  system.tokens.revokeAll();
  expect(new Set(await readAll())).toEqual(new Set([200]));
  expect(count('token')).toBe(2);
  expect(system.tokens.count).toBe(2);
});

longTest('each host asks for the venue and its products at most once an hour', async () => {
  expect(new Set(await readAll())).toEqual(new Set([200]));
  const before = [count('venue'), count('products')];
  expect(new Set(await readAll())).toEqual(new Set([200]));
  expect([count('venue'), count('products')]).toEqual(before);
  // Each host connects again to an installation that has changed, and to all of them every few seconds.
  const installation = '/v1/admin/pools/jump/installations/roller';
  await hosts[0]?.call('PATCH', installation, { shareProperties: ['name'] });
  expect(new Set(await readAll())).toEqual(new Set([200]));
  expect([count('venue'), count('products')]).toEqual(before);
});
