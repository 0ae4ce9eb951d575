import { longTest, startTestHost, type TestHost, until } from '@waiver-service/testing';
import {
  startTokenSystem,
  type TokenSystem,
  tokenAccount,
  tokenPlugin,
} from '@waiver-service/testing/tokens';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const installation = '/v1/admin/pools/shore/installations/tokens';
let system: TokenSystem;
beforeEach(async () => {
  system = await startTokenSystem();
});
afterEach(() => system.close());

const bookingIds = () => system.bookings.all.map(({ id }) => id);
const tokenRequests = () => system.received.filter(({ route }) => route === 'token').length;

describe('the sessions of two hosts', () => {
  let hosts: TestHost[];

  beforeEach(async () => {
    const first = await startTestHost({ plugins: [tokenPlugin()] });
    hosts = [first, await startTestHost({ plugins: [tokenPlugin()], database: first })];
    await first.call('PUT', '/v1/admin/booking-systems/tokens', { baseUrl: system.url });
    await first.preparePool('shore', 'tokens');
    expect((await first.call('PUT', installation, tokenAccount)).status).toBe(200);
  });
  afterEach(async () => {
    // The first drops the database.
    for (const host of hosts.toReversed()) await host.close();
  });

  const hostOf = (place: number): TestHost => {
    const host = hosts[place % hosts.length];
    if (host === undefined) throw new Error('no host');
    return host;
  };

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
});

describe('credentials that are refused', () => {
  const wrongAccount = { ...tokenAccount, apiKey: 'a-secret-that-the-vendor-refuses' };
  let host: TestHost;
  let accessToken: string;

  beforeEach(async () => {
    host = await startTestHost({ plugins: [tokenPlugin()] });
    await host.call('PUT', '/v1/admin/booking-systems/tokens', { baseUrl: system.url });
    ({ accessToken } = await host.preparePool('shore', 'tokens'));
    expect((await host.call('PUT', installation, wrongAccount)).status).toBe(200);
  });
  afterEach(() => host.close());

  const bookingId = () => bookingIds()[0] ?? '';
  const read = () =>
    host.call('GET', `/v1/pools/shore/bookings/${bookingId()}`, undefined, { token: accessToken });
  const testRead = () => host.call('POST', `${installation}/test`, { bookingId: bookingId() });

  async function listed(): Promise<Record<string, unknown>> {
    const { body } = await host.call('GET', '/v1/admin/pools/shore/installations');
    return Object(body.items[0]);
  }

  async function sign(id: string): Promise<void> {
    const waiver = { id, bookingId: bookingId(), answers: { name: 'Zoë' } };
    const { status } = await host.call('POST', '/v1/pools/shore/waivers', waiver, { token: accessToken });
    expect(status).toBe(201);
  }

  /** The state of each delivery, and how often it was attempted. */
  async function deliveries(): Promise<readonly { readonly state: string; readonly attempts: number }[]> {
    const { body } = await host.call('GET', '/v1/admin/deliveries?pool=shore');
    const details = body.items.map(({ id }: { id: string }) =>
      host.call('GET', `/v1/admin/deliveries/${id}`),
    );
    return (await Promise.all(details)).map(({ body: { state, attempts } }) => ({
      state,
      attempts: attempts.length,
    }));
  }

  test('an installation whose credentials are refused needs attention, and a read says what to do', async () => {
    expect(await listed()).toMatchObject({ status: 'active' });
    const first = await read();
    expect(first).toMatchObject({
      status: 502,
      body: {
        code: 'booking_system_auth_rejected',
        message: expect.stringMatching(
          /Tokens gives no token .* \(status 401\), saying "invalid_client.*install again/,
        ),
      },
    });
    expect(await listed()).toMatchObject({
      status: 'needs_attention',
      attention: { since: expect.any(String), reason: expect.stringContaining('install again') },
    });
    const lines = host.lines.filter((line) => line.includes('it needs attention'));
    expect(lines).toHaveLength(1);
    expect(host.lines.join('')).not.toContain(wrongAccount.apiKey);

    // The vendor is not asked for a token by each read.
    expect((await read()).body.message).toMatch(/It is tried again in \d+ s/);
    expect(tokenRequests()).toBe(1);
  });

  test('Test asks all the same, and its success ends it', async () => {
    await read();
    expect((await testRead()).body).toMatchObject({ ok: false, code: 'booking_system_auth_rejected' });
    expect(tokenRequests()).toBe(2);
    expect(await listed()).toMatchObject({ status: 'needs_attention' });

    system.client.secret = wrongAccount.apiKey;
    expect((await testRead()).body).toMatchObject({ ok: true });
    expect(await listed()).toMatchObject({ status: 'active' });
    expect(await listed()).not.toHaveProperty('attention');
    expect((await read()).status).toBe(200);
  });

  test('Guest Updates wait for it without an attempt, and go once it is installed again', async () => {
    await sign('W-1');
    await until(async () => (await listed()).status === 'needs_attention', 'the refusal');
    await sign('W-2');
    // Longer than the whole retry schedule of this host.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const waiting = { state: 'waiting', attempts: 0 };
    expect(await deliveries()).toEqual([waiting, waiting]);
    expect(tokenRequests()).toBe(1);

    expect((await host.call('PUT', installation, tokenAccount)).status).toBe(200);
    await until(() => system.waivers.size === 2, 'both waivers');
    // The booking, which can be read now, may change the waivers before their first versions are sent.
    await until(
      async () => (await deliveries()).every(({ state }) => ['delivered', 'superseded'].includes(state)),
      'all deliveries to end',
    );
    expect(await listed()).toMatchObject({ status: 'active' });
  });
});
