import { createTestDatabase } from '@waiver-service/store/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestHost } from '../harness/test-host.ts';
import { tokenAccount } from '../harness/token-plugin.ts';
import { startTokenHost, startTokenSystem, type TokenSystem } from '../harness/token-system.ts';

const installation = '/v1/admin/pools/shore/installations/tokens';
const encryptionKeys = `test:${Buffer.alloc(32, 7).toString('base64')}`;

let system: TokenSystem;
let database: { readonly url: string; drop(): Promise<void> };
let hosts: TestHost[];

beforeEach(async () => {
  system = await startTokenSystem();
  database = await createTestDatabase();
  const variables = { DATABASE_URL: database.url, ENCRYPTION_KEYS: encryptionKeys };
  const first = await startTokenHost(variables);
  hosts = [first, await startTokenHost(variables)];
  await first.call('PUT', '/v1/admin/booking-systems/tokens', { baseUrl: system.url });
  await first.preparePool('shore', 'tokens');
  expect((await first.call('PUT', installation, tokenAccount)).status).toBe(200);
});
afterEach(async () => {
  for (const host of hosts) await host.close();
  await system.close();
  await database.drop();
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
