import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { startSystemFor, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../harness/program.ts';

/** Loopback as a number, a name and within an IPv6 address; the guard's own tests have all spellings. */
const hosts = ['2130706433', 'booking.localhost', '[::ffff:7f00:1]'];
const refused = [
  ...hosts.map((host) => `https://${host}:8443/x?y=z`),
  'http://203.0.113.7/',
  '//example.com',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const webhook = (url: string) => ({ url, auth: { type: 'none' } });

async function deliveriesOnceTried(program: Program, pool: string, count: number) {
  return until(async () => {
    const { items } = await program.done('GET', `/v1/admin/deliveries?pool=${pool}&limit=100`);
    const hasEnded = (item: { state: string }) => item.state === 'dead' || item.state === 'delivered';
    return items.length === count && items.every(hasEnded) && items;
  }, 'every delivery to end');
}

test('a private address is refused when it is set, and when it is called although it was allowed once', async () => {
  const receiver = await startWebhookReceiver();
  const system = await startSystemFor('standard');
  const { port } = new URL(receiver.url);
  const open = await startProgram({
    DATABASE_URL: database.url,
    OUTBOUND_ALLOW: '0.0.0.0/0,::/0',
    ROLE: 'api',
  });
  await open.makePool('p');
  await open.connect('standard', { url: system.url.replace('127.0.0.1', 'localhost') }, 'p');
  const webhooks = '/v1/admin/pools/p/webhooks';
  for (const host of hosts) await open.done('POST', webhooks, webhook(`http://${host}:${port}/webhook`));
  await open.stop();

  const strict = await startProgram({ DATABASE_URL: database.url, OUTBOUND_ALLOW: '', RETRY_SCHEDULE: '0s' });
  const settings = async () => [
    (await strict.done('GET', '/v1/admin/booking-systems/standard')).baseUrl,
    (await strict.done('GET', webhooks)).items,
  ];
  const before = await settings();
  const [, [kept]] = before;
  for (const url of refused) {
    for (const [method, path, body] of [
      ['PUT', '/v1/admin/booking-systems/standard', { baseUrl: url }],
      ['POST', webhooks, webhook(url)],
      ['PATCH', `${webhooks}/${kept.id}`, { url }],
    ] as const) {
      const answer = await strict.call(method, path, body);
      expect([url, method, answer.status, answer.body.code]).toEqual([url, method, 400, 'malformed']);
    }
  }
  expect(await settings()).toEqual(before);

  const read = await strict.call('GET', '/v1/pools/p/bookings/BK-1001');
  expect([read.status, read.body.code]).toEqual([502, 'booking_system_error']);
  const waiver = { id: 'W-1', bookingId: 'BK-1001', bookingGuestId: 'G-1', answers: { name: 'Ada' } };
  await strict.done('POST', '/v1/pools/p/waivers', waiver);
  for (const { id } of await deliveriesOnceTried(strict, 'p', hosts.length + 1)) {
    const { attempts } = await strict.done('GET', `/v1/admin/deliveries/${id}`);
    expect(attempts).toEqual([expect.objectContaining({ errorCode: 'blocked_address' })]);
  }
  expect([...receiver.received, ...system.received]).toEqual([]);
  await strict.stop();
  await Promise.all([receiver.close(), system.close()]);
});

test('a redirect is not followed, neither when reading nor when sending', async () => {
  const [system, receiver, elsewhere] = await Promise.all([
    startSystemFor('standard'),
    startWebhookReceiver(),
    startWebhookReceiver(),
  ]);
  const program = await startProgram({ DATABASE_URL: database.url, RETRY_SCHEDULE: '0s' });
  await program.makePool('q');
  await program.connect('standard', system, 'q');
  await program.done('POST', '/v1/admin/pools/q/webhooks', webhook(receiver.url));
  system.faults.next('read', { kind: 'redirect', location: elsewhere.url, status: 302 });
  expect(await program.call('GET', '/v1/pools/q/bookings/BK-1001')).toMatchObject({ status: 502 });
  system.faults.always('guest-update', { kind: 'redirect', location: elsewhere.url, status: 307 });
  receiver.faults.always('webhook', { kind: 'redirect', location: elsewhere.url, status: 308 });
  await program.done('POST', '/v1/pools/q/waivers', { bookingId: 'BK-1001', answers: { name: 'Ada' } });
  for (const { id } of await deliveriesOnceTried(program, 'q', 2)) {
    const { attempts } = await program.done('GET', `/v1/admin/deliveries/${id}`);
    expect(attempts).toEqual([expect.objectContaining({ errorCode: 'redirect' })]);
  }
  expect(elsewhere.received).toEqual([]);
  await program.stop();
  await Promise.all([system.close(), receiver.close(), elsewhere.close()]);
});
