import { bookeoBooking, startBookeo } from '@waiver-service/plugin-bookeo/simulator';
import { startCheckfront } from '@waiver-service/plugin-checkfront/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { type ObservedChanges, observeBookingChanges } from '../harness/booking-changes.ts';
import { type ConnectedHost, startConnectedHost, type TestCaller } from '../harness/connected-host.ts';
import { until } from '../harness/test-host.ts';

async function connected(variables: Readonly<Record<string, string>> = {}) {
  const host = await startConnectedHost(variables);
  const changes = await observeBookingChanges(variables.DATABASE_URL ?? host.databaseUrl);
  onTestFinished(async () => {
    await changes.close();
    await host.close();
  });
  return { host, changes };
}

/** Resolves when no due question to the installation is left. */
const untilAsked = (changes: ObservedChanges) =>
  until(async () => {
    const state = await changes.state();
    return state !== undefined && state.dueInMs > 0 && !state.isAsking ? state : undefined;
  }, 'a call for changes');

async function install(host: ConnectedHost, installName: string, account: object): Promise<string> {
  const path = `/v1/admin/pools/p/installations/${installName}`;
  const { status, body } = await host.admin('PUT', path, { accountId: 1, ...account });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.webhookUrl;
}

const read = (app: TestCaller, bookingId: string) => app('GET', `/v1/pools/p/bookings/${bookingId}`);

test('a booking system that does not answer is asked less often, and from the same place', async () => {
  const system = await startCheckfront({ apiKey: 'key', apiSecret: 'secret' });
  onTestFinished(() => system.close());
  const { host, changes } = await connected();
  await host.makePool('p');
  await host.admin('PUT', '/v1/admin/booking-systems/checkfront', { baseUrl: system.url });
  await install(host, 'checkfront', { apiKey: 'key', apiSecret: 'secret' });
  await untilAsked(changes);
  const before = await changes.state();
  system.faults.always('index', { kind: 'status', status: 500 });
  await changes.makeDue();
  const after = await untilAsked(changes);
  expect(after).toMatchObject({ cursor: before?.cursor, failures: 1 });
  expect(after.dueInMs).toBeGreaterThan(240_000);
});

test('Bookeo is not polled, but asked when its messages were lost', async () => {
  const keys = { apiKey: 'account-key', secretKey: 'application-key' };
  const system = await startBookeo(keys);
  onTestFinished(() => system.close());
  const { host, changes } = await connected();
  const app = await host.makePool('p');
  const settings = { secretKey: keys.secretKey };
  await host.admin('PUT', '/v1/admin/booking-systems/bookeo', { baseUrl: system.url, settings });
  const webhookUrl = await install(host, 'bookeo', { apiKey: keys.apiKey });
  expect((await untilAsked(changes)).dueInMs).toBe(Number.POSITIVE_INFINITY);
  const lost = { ...bookeoBooking, bookingNumber: '77', lastChangeTime: new Date().toISOString() };
  const unchanged = { ...bookeoBooking, bookingNumber: '78', lastChangeTime: '2026-01-01T00:00:00Z' };
  for (const booking of [lost, unchanged]) {
    system.put(booking);
    await read(app, booking.bookingNumber);
  }
  system.put({ ...lost, canceled: true });
  const before = system.received.length;
  const announced = { previousMessageLost: true };
  expect(await system.announce(webhookUrl, bookeoBooking.bookingNumber, announced)).toBe(200);
  const pathsSince = () => system.received.slice(before).map(({ path }) => path.split('?')[0]);
  await until(() => pathsSince().includes('/bookings/77'), 'the missed booking to be read');
  expect(pathsSince()).toContain('/bookings');
  expect(pathsSince(), 'it has not changed').not.toContain('/bookings/78');
});
