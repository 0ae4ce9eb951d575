import { longTest, startTestHost, type TestHost } from '@waiver-service/testing';
import {
  startTokenSystem,
  type TokenSystem,
  tokenAccount,
  tokenPlugin,
} from '@waiver-service/testing/tokens';
import { afterEach, beforeEach, expect, test } from 'vitest';

const installation = '/v1/admin/pools/shore/installations/tokens';

let system: TokenSystem;
let hosts: TestHost[];

beforeEach(async () => {
  system = await startTokenSystem();
  const first = await startTestHost({ plugins: [tokenPlugin()] });
  hosts = [first, await startTestHost({ plugins: [tokenPlugin()], database: first })];
  await first.call('PUT', '/v1/admin/booking-systems/tokens', { baseUrl: system.url });
  await first.preparePool('shore', 'tokens');
  expect((await first.call('PUT', installation, tokenAccount)).status).toBe(200);
});
afterEach(async () => {
  // The first drops the database.
  for (const host of hosts.toReversed()) await host.close();
  await system.close();
});

const hostOf = (place: number): TestHost => {
  const host = hosts[place % hosts.length];
  if (host === undefined) throw new Error('no host');
  return host;
};

const bookingIds = () => system.bookings.all.map(({ id }) => id);

/** Reads of all bookings by all hosts at once, several times over. */
async function readAll(times: number): Promise<number[]> {
  const ids = bookingIds();
  const reads = Array.from({ length: times * ids.length }, (_, place) =>
    hostOf(place).call(
      'GET',
      `/v1/pools/shore/bookings/${encodeURIComponent(ids[place % ids.length] ?? '')}`,
    ),
  );
  return (await Promise.all(reads)).map(({ status }) => status);
}

const allGood = (statuses: readonly number[]) => statuses.every((status) => status === 200);
const tokenRequests = () => system.received.filter(({ route }) => route === 'token').length;

test('two hosts that read at once open one session', async () => {
  expect(allGood(await readAll(4))).toBe(true);
  expect(tokenRequests()).toBe(1);
});

test('a token that the vendor has ended is renewed by two hosts exactly once', async () => {
  await readAll(1);
  system.issued.revokeAll();
  expect(allGood(await readAll(4))).toBe(true);
  expect(tokenRequests()).toBe(2);
});

test('a Guest Update is written with the same token', async () => {
  await readAll(1);
  const token = await hostOf(0).call('POST', '/v1/admin/pools/shore/access-tokens', {});
  const waiver = { id: 'W-1', bookingId: bookingIds()[0], answers: { name: 'Zoë' } };
  await hostOf(0).call('POST', '/v1/pools/shore/waivers', waiver, { token: String(token.body.token) });
  await system.untilReceived('guest-update', (updates) =>
    updates.some(({ answer }) => answer?.status === 200),
  );
  expect(tokenRequests()).toBe(1);
});

longTest(
  'a token that is about to end is renewed by two hosts exactly once, before any request is refused',
  async () => {
    // Renewed in its last fifth, which must be longer than a busy machine stands still.
    system.issued.lifetimeSeconds = 12;
    await readAll(1);
    expect(tokenRequests()).toBe(1);
    system.issued.lifetimeSeconds = 3_600;
    await new Promise((resolve) => setTimeout(resolve, 9_800));
    expect(allGood(await readAll(4))).toBe(true);
    expect(tokenRequests()).toBe(2);
    expect(system.received.filter(({ answer }) => answer?.status === 401)).toEqual([]);
  },
);

// The other host hears of it a moment later.
longTest('a changed account is used by every host, with a new session', async () => {
  await readAll(1);
  const wrong = { ...tokenAccount, apiKey: 'another-secret-that-is-wrong' };
  await hostOf(0).call('PUT', installation, wrong);
  await expect.poll(async () => new Set(await readAll(1))).toEqual(new Set([502]));
  await hostOf(0).call('PUT', installation, tokenAccount);
  await expect.poll(async () => allGood(await readAll(1))).toBe(true);
});
