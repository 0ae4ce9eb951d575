import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import {
  accountKey,
  openRawConnection,
  type RawConnection,
  startSystemFor,
  startTestHost,
  type TestCaller,
  type TestHost,
} from '@waiver-service/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let host: TestHost;
let system: SimulatedBookingSystem;
let app: TestCaller;
let database: RawConnection;

const read = (bookingId: string) => app('GET', `/v1/pools/rafting/bookings/${bookingId}`);

beforeAll(async () => {
  [host, system] = await Promise.all([startTestHost(), startSystemFor('standard')]);
  app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
  const opened = await openRawConnection(host.databaseUrl);
  if (opened === undefined) throw new Error('the database takes no connection');
  database = opened;
});

afterEach(() => system.faults.clear());

afterAll(async () => {
  database?.end();
  await host?.close();
  await system?.close();
});

test('a read after a change of the key is not answered by a request with the former one', async () => {
  const install = (apiKey: string) =>
    host.admin('PUT', '/v1/admin/pools/rafting/installations/standard', { accountId: 4711, apiKey });
  system.faults.next('read', { kind: 'latency', milliseconds: 300 });
  const before = system.received.length;
  const first = read('BK-1001');
  await system.untilReceived('read', (requests) => requests.length > before);
  await install('another-key');
  // The booking system does not know it: the booking stored with the former key is not returned in its place.
  expect(await read('BK-1001')).toMatchObject({
    status: 502,
    body: { code: 'booking_system_auth_rejected' },
  });
  expect(await first).toMatchObject({ status: 200, body: { stale: false } });
  expect(system.received.slice(before).map(({ headers }) => headers['api-key'])).toEqual([
    accountKey,
    'another-key',
  ]);
  await install(accountKey);
  expect(await read('BK-1001')).toMatchObject({ status: 200, body: { stale: false } });
});
