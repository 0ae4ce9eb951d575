import { setTimeout as delay } from 'node:timers/promises';
import { type CheckfrontBooking, startCheckfront } from '@waiver-service/plugin-checkfront/simulator';
import { fareHarborBooking, startFareHarbor } from '@waiver-service/plugin-fareharbor/simulator';
import { slow } from '@waiver-service/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ConnectedHost, startConnectedHost, type TestCaller } from '../harness/connected-host.ts';
import { until } from '../harness/test-host.ts';

const installation = (installName: string) => `/v1/admin/pools/p/installations/${installName}`;

async function connected(variables: Readonly<Record<string, string>> = {}): Promise<ConnectedHost> {
  const host = await startConnectedHost(variables);
  onTestFinished(() => host.close());
  return host;
}

async function signed(app: TestCaller, bookingId: string) {
  const { status, body } = await app('GET', `/v1/pools/p/bookings/${bookingId}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const sign = (app: TestCaller, id: string, bookingId: string) =>
  app('POST', '/v1/pools/p/waivers', { id, bookingId, answers: { name: `Guest ${id}` } });

describe('a booking of Checkfront’s has a code and a number', () => {
  async function openCheckfront() {
    const host = await connected();
    const system = await startCheckfront({ apiKey: 'key', apiSecret: 'secret' });
    onTestFinished(() => system.close());
    const [booking] = system.bookings.values();
    if (booking === undefined) throw new Error('the simulator has no booking');
    const app = await host.makePool('p');
    await host.admin('PUT', '/v1/admin/booking-systems/checkfront', { baseUrl: system.url });
    const account = { accountId: 1, apiKey: 'key', apiSecret: 'secret' };
    const { status, body } = await host.admin('PUT', installation('checkfront'), account);
    expect(status, JSON.stringify(body)).toBe(200);
    return { app, system, booking, inboundUrl: String(body.webhookUrl) };
  }
  const idsOf = ({ code, number }: CheckfrontBooking) => ({ code, number: String(number) });

  test('the last valid booking is served by either while the booking system is down', async () => {
    const { app, system, booking } = await openCheckfront();
    const { code, number } = idsOf(booking);
    await signed(app, number);
    system.faults.always('read', { kind: 'status', status: 503 });
    for (const id of [code, number]) {
      expect(await signed(app, id)).toMatchObject({ stale: true, booking: { id: code } });
    }
  });

  test('concurrent reads by either share one request once both are known', async () => {
    const { app, system, booking } = await openCheckfront();
    const { code, number } = idsOf(booking);
    await signed(app, number);
    const before = system.received.length;
    // Long enough for all three to arrive, also on a busy machine.
    system.faults.always('read', { kind: 'latency', milliseconds: 1_500 });
    await Promise.all([signed(app, number), signed(app, code), signed(app, number)]);
    expect(system.received.length - before).toBe(1);
  });
});

describe('a rebooked booking of FareHarbor’s goes on under another uuid', () => {
  const keys = { appKey: 'app', userKey: 'user', shortname: 'north' };
  async function openFareHarbor() {
    const system = await startFareHarbor(keys);
    onTestFinished(() => system.close());
    const first = await connected();
    const second = await connected({ DATABASE_URL: first.databaseUrl });
    const app = await first.makePool('p');
    const settings = { baseUrl: system.url, settings: { appKey: keys.appKey } };
    await first.admin('PUT', '/v1/admin/booking-systems/fareharbor', settings);
    const account = { accountId: 1, apiKey: keys.userKey, shortname: keys.shortname };
    const { status, body } = await first.admin('PUT', installation('fareharbor'), account);
    expect(status, JSON.stringify(body)).toBe(200);
    const { uuid } = fareHarborBooking();
    const { body: token } = await second.admin('POST', '/v1/admin/pools/p/access-tokens');
    return { apps: [app, second.as(token.token)], app, system, uuid };
  }

  const isSent = async (app: TestCaller, id: string) => {
    const { body } = await app('GET', `/v1/pools/p/waivers/${id}`);
    return body.deliveries.every(({ state }: { state: string }) => state === 'delivered');
  };

  test('guests who sign at once under both, at two hosts, do not overwrite each other', async () => {
    const { apps, app, system, uuid } = await openFareHarbor();
    const next = system.rebook(uuid);
    system.faults.always('note', slow);
    const ids = Array.from({ length: 8 }, (_, number) => `w${number}`);
    await Promise.all(
      ids.map((id, number) => sign(apps[number % 2] ?? app, id, number % 4 < 2 ? uuid : next.uuid)),
    );
    for (const id of ids) await until(() => isSent(app, id), `${id} to be sent`);
    const note = system.bookings.get(next.uuid)?.note ?? '';
    for (const id of ids) expect(note).toContain(`[waiver ${id}]`);
    expect(system.bookings.get(uuid)?.note).not.toContain('[waiver');
    expect((await signed(app, uuid)).waivers.signed).toBe(ids.length);
  });

  test('a record that goes from the one to the other stays written', async () => {
    const { app, system, uuid } = await openFareHarbor();
    await sign(app, 'w1', uuid);
    await until(() => isSent(app, 'w1'), 'the first version to be sent');
    const next = system.rebook(uuid);
    await app('PATCH', '/v1/pools/p/waivers/w1', { bookingId: next.uuid });
    await until(async () => {
      const { body } = await app('GET', '/v1/pools/p/waivers/w1');
      return body.deliveries.every(
        ({ state }: { state: string }) => state !== 'waiting' && state !== 'sending',
      );
    }, 'both messages to end');
    await delay(100);
    expect(system.bookings.get(next.uuid)?.note).toContain('[waiver w1]');
  });
});
