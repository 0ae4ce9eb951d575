import { createTestDatabase, type TestDatabase } from '@waiver-service/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountKey, startSystemFor, textAt } from '../harness/connected-host.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { until } from '../harness/test-host.ts';

let database: TestDatabase;
let program: Program;
let system: Awaited<ReturnType<typeof startSystemFor>>;
let installKey: string;
let app: { readonly token: string };
beforeAll(async () => {
  database = await createTestDatabase();
  system = await startSystemFor('standard');
  program = await startProgram({ DATABASE_URL: database.url, RETRY_SCHEDULE: '0s,1h' });
  await program.done('PUT', '/v1/admin/booking-systems/standard', { baseUrl: system.url });
  installKey = textAt(await program.done('POST', '/v1/admin/booking-systems/standard/install-keys'), 'key');
  app = { token: await program.makePool('rafting') };
  await program.makePool('canyoning');
});
afterAll(async () => {
  await program.stop();
  await system.close();
  await database.drop();
});

const anyone = { token: null };
const account = (pool: string, accountId: string | number, apiKey = accountKey) => ({
  key: installKey,
  pool,
  accountId,
  apiKey,
});
const install = (body: object) => program.call('POST', '/integration/install/standard', body, anyone);
const uninstall = (body: object) => program.call('POST', '/integration/uninstall/standard', body, anyone);
const announce = (key: string, body: object = { id: 'BK-1002', pool: 'rafting' }) =>
  program.call('POST', '/integration/webhook/standard', body, { token: null, headers: { 'api-key': key } });
const accountIdOf = async (pool: string) =>
  (await program.done('GET', `/v1/admin/pools/${pool}/installations`)).items[0]?.accountId;

let firstKey: string;
let secondKey: string;

test('a booking system installs itself; the account id keeps its JSON type', async () => {
  const answer = await install({ ...account('rafting', 4711), region: 'tirol' });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      success: true,
      message: expect.any(String),
      webhookUrl: `${program.url}/integration/webhook/standard`,
      apiKey: expect.stringMatching(/^wsp_/),
    },
  ]);
  firstKey = answer.body.apiKey;
  expect((await install(account('canyoning', '0042'))).status).toBe(200);
  expect([await accountIdOf('rafting'), await accountIdOf('canyoning')]).toEqual([4711, '0042']);
});

test('another account cannot take over the pool, and a system without the key, or with another’s, cannot install', async () => {
  const other = await install(account('rafting', 4712));
  expect([other.status, other.body.success]).toEqual([409, false]);
  expect(await accountIdOf('rafting')).toBe(4711);
  const wrong = await install({ ...account('rafting', 4711), key: 'wrong' });
  expect(wrong.status).toBe(401);
  const elsewhere = await program.call(
    'POST',
    '/integration/install/standard-query',
    account('rafting', 1),
    anyone,
  );
  expect(elsewhere.status).toBe(401);
  expect((await install(account('nowhere', 1))).status).toBe(404);
  expect(
    (await program.call('POST', '/integration/install/nobody', account('rafting', 1), anyone)).status,
  ).toBe(404);
  const exactly = await install(JSON.parse(JSON.stringify(account('rafting', '4711'))));
  expect(exactly.status).toBe(200);
});

test('installing again issues a new key; the former one still authenticates inbound calls of its pool only', async () => {
  secondKey = (await install(account('rafting', 4711))).body.apiKey;
  expect(secondKey).not.toBe(firstKey);
  for (const key of [firstKey, secondKey]) {
    const answer = await announce(key);
    expect([answer.status, answer.body]).toEqual([200, { success: true, bookings: [{ id: 'BK-1002' }] }]);
    expect((await announce(key, { id: 'BK-1002', pool: 'canyoning' })).status).toBe(403);
  }
});

test('an inbound call has the booking read again, so that it is there when the system is not', async () => {
  await system.untilReceived('read', (reads) => reads.some(({ path }) => path.includes('BK-1002')));
  const booking = system.bookings.get('BK-1002');
  if (booking === undefined) throw new Error('the simulator has no BK-1002');
  const read = () => program.call('GET', '/v1/pools/rafting/bookings/BK-1002', undefined, app);
  expect((await read()).body.booking.pax).toBe(2);
  system.bookings.replace({ ...booking, pax: 5 });
  const before = system.received.length;
  expect((await announce(secondKey)).status).toBe(200);
  await system.untilReceived('read', before + 1);
  system.faults.always('read', { kind: 'status', status: 503 });
  // A call may still share the background's request, and get the fresh booking.
  const stale = await until(async () => {
    const answer = await read();
    return answer.body.stale === true && answer.body.booking.pax === 5 && answer;
  }, 'the booking that was read again');
  expect(stale.status).toBe(200);
  system.faults.clear('read');
});

test('uninstalling revokes the keys, cancels waiting messages and keeps the waivers; repeating it says so', async () => {
  system.faults.always('guest-update', { kind: 'status', status: 503 });
  const waiver = { id: 'W-1', bookingId: 'BK-1002', bookingGuestId: 'G-1', answers: { name: 'Ada' } };
  await program.done('POST', '/v1/pools/rafting/waivers', waiver, app);
  await system.untilReceived('guest-update', 1);
  expect((await uninstall(account('rafting', 4712))).status).toBe(403);
  const answer = await uninstall(account('rafting', '4711', 'a-key-since-rotated'));
  expect([answer.status, answer.body]).toEqual([200, { success: true, message: expect.any(String) }]);

  for (const key of [firstKey, secondKey]) expect((await announce(key)).status).toBe(401);
  const record = await until(async () => {
    const found = await program.done('GET', '/v1/pools/rafting/waivers/W-1', undefined, app);
    return found.deliveries[0].state === 'cancelled' && found;
  }, 'the delivery to be cancelled');
  expect(record).toMatchObject({ id: 'W-1', bookingId: 'BK-1002', deleted: false, answers: { name: 'Ada' } });
  const read = await program.call('GET', '/v1/pools/rafting/bookings/BK-1002', undefined, app);
  expect([read.status, read.body.code]).toEqual([424, 'not_installed']);
  expect((await program.done('GET', '/v1/admin/pools/rafting/installations')).items).toEqual([]);
  const again = await uninstall(account('rafting', 4711));
  expect([again.status, again.body.success, again.body.message]).toEqual([
    200,
    true,
    expect.stringContaining('not installed'),
  ]);

  system.faults.clear();
  expect((await install(account('rafting', 'another'))).status).toBe(200);
  expect(await accountIdOf('rafting')).toBe('another');
  expect((await announce(firstKey)).status).toBe(401);
});
