import { createHmac } from 'node:crypto';
import { createTestDatabase } from '@waiver-service/database/testing';
import { bookeoBooking, type SimulatedBookeo, startBookeo } from '@waiver-service/plugin-bookeo/simulator';
import { type SimulatedOcto, startOcto } from '@waiver-service/plugin-octo/simulator';
import { type SimulatedRoller, startRoller } from '@waiver-service/plugin-roller/simulator';
import { until } from '@waiver-service/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encryptionKeys, startTestHost, type TestHost } from '../harness/test-host.ts';

describe('webhooks', () => {
  const keys = { apiKey: 'account-key', secretKey: 'application-key' };
  const baseUrl = 'https://waivers.example';
  let host: TestHost;
  let bookeo: SimulatedBookeo;
  let octo: SimulatedOcto;
  let pools = 0;
  let pool: string;
  beforeAll(async () => {
    [bookeo, octo] = await Promise.all([startBookeo(keys), startOcto({ apiKey: 'octo-key' })]);
    host = await startTestHost({ BASE_URL: baseUrl, KEY_OVERLAP: '1s' });
  });
  afterAll(async () => {
    await host?.close();
    await Promise.all([bookeo?.close(), octo?.close()]);
  });

  beforeEach(async () => {
    await until(() => bookeo.webhooks.all.length === 0, 'no webhook of another test to be left');
    pools += 1;
    pool = `pool-${pools}`;
    await host.call('PUT', `/v1/admin/pools/${pool}`, { name: pool });
    bookeo.faults.clear();
  });

  const configure = (on = host) =>
    on.call('PUT', '/v1/admin/booking-systems/bookeo', {
      baseUrl: bookeo.url,
      settings: { secretKey: keys.secretKey },
    });

  const path = (name = 'bookeo') => `/v1/admin/pools/${pool}/installations/${name}`;

  async function install(on = host) {
    await configure(on);
    return (await on.call('PUT', path(), { accountId: 1, apiKey: keys.apiKey })).body;
  }

  const uninstall = (name = 'bookeo') => host.call('DELETE', path(name));

  const stateOf = async (on = host) => {
    const { body } = await on.call('GET', `/v1/admin/pools/${pool}/installations`);
    return body.items[0]?.webhooks;
  };

  const untilState = (state: string, on = host) =>
    until(async () => {
      const webhooks = await stateOf(on);
      return webhooks?.state === state && webhooks;
    }, `the state ${state}`);

  const urls = () => bookeo.webhooks.all.map(({ url }) => url);

  const announce = async (url: string, from = host) => {
    const body = JSON.stringify({ itemId: '1', item: null });
    const time = String(Date.now());
    const signature = createHmac('sha256', keys.secretKey).update(`${time}m${url}${body}`).digest('hex');
    const headers = {
      'x-bookeo-timestamp': time,
      'x-bookeo-messageid': 'm',
      'x-bookeo-signature': signature,
    };
    const address = url.slice(new URL(url).origin.length);
    return (await from.call('POST', address, body, { token: null, headers })).status;
  };

  test('an install registers webhooks with their own key, which ends with the uninstall', async () => {
    const { webhookUrl } = await install();
    expect(await untilState('registered')).toMatchObject({ registeredAt: expect.stringContaining('Z') });
    expect(bookeo.webhooks.all.map(({ domain, type }) => `${domain} ${type}`).sort()).toEqual([
      'bookings created',
      'bookings deleted',
      'bookings updated',
    ]);
    const [url = ''] = urls();
    expect(new Set(urls())).toEqual(new Set([url]));
    expect(url.startsWith(`${baseUrl}/integration/webhook/bookeo?key=wsp_`)).toBe(true);
    expect(url).not.toBe(webhookUrl);

    // A reinstall ends other keys after a while.
    await install();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await untilState('registered');
    expect(await announce(webhookUrl)).toBe(401);
    expect(await announce(url)).toBe(200);
    expect(bookeo.webhooks.all).toHaveLength(3);

    const tested = await host.call('POST', `${path()}/test`, { bookingId: bookeoBooking.bookingNumber });
    expect(tested.body).toMatchObject({ ok: true, webhooks: { state: 'registered' } });
    await uninstall();
    expect(await announce(url)).toBe(401);
    await until(() => urls().length === 0, 'the webhooks to be removed');
    expect(host.lines.join('')).not.toContain(new URL(url).searchParams.get('key'));
  });

  test('a webhook whose registration was carried out and never heard of is not registered twice', async () => {
    // The list is answered, the first webhook is made, and its answer is lost.
    bookeo.faults.next('webhooks', { kind: 'latency', milliseconds: 1 });
    bookeo.faults.next('webhooks', { kind: 'reset', when: 'after-headers' });
    await install();
    const { lastFailure } = await untilState('failing');
    expect(lastFailure).toMatchObject({
      code: expect.stringMatching(/^booking_system/),
      message: expect.any(String),
    });
    const [first] = bookeo.webhooks.all;
    expect(bookeo.webhooks.all).toHaveLength(1);
    // A change of the settings is tried at once.
    await configure();
    await untilState('registered');
    expect(bookeo.webhooks.all).toHaveLength(3);
    expect(bookeo.webhooks.all).toContainEqual(first);
    await uninstall();
  });

  test('webhooks of somebody else are untouched, and the installation says whose are in the way', async () => {
    const foreign = { url: 'https://other.example/hook?secret=s3cret', domain: 'bookings', type: 'updated' };
    const headers = { 'x-bookeo-apikey': keys.apiKey, 'x-bookeo-secretkey': keys.secretKey };
    await fetch(`${bookeo.url}/webhooks`, { method: 'POST', headers, body: JSON.stringify(foreign) });
    await install();
    const { lastFailure } = await untilState('failing');
    expect(lastFailure.message).toContain('https://other.example/hook');
    expect(lastFailure.message).not.toContain('s3cret');
    expect(urls()).toEqual([foreign.url]);

    // One that the vendor gave up calling is in no one's way.
    bookeo.webhooks.block(bookeo.webhooks.all[0]?.id ?? '');
    await configure();
    await untilState('registered');
    expect(urls()).not.toContain(foreign.url);
    await uninstall();
  });

  test('a plugin’s setting turns them on and off', async () => {
    const set = (webhooks: boolean | null) =>
      host.call('PUT', '/v1/admin/booking-systems/octo', { baseUrl: octo.url, settings: { webhooks } });
    await until(() => octo.webhooks.length === 0, 'no webhook of another test to be left');
    await set(null);
    const before = octo.received.length;
    await host.call('PUT', path('octo'), { accountId: 1, apiKey: 'octo-key' });
    await until(async () => (await stateOf()) === undefined, 'no webhooks to be shown');
    expect(octo.received.slice(before)).toEqual([]);
    await set(true);
    await untilState('registered');
    expect(octo.webhooks).toHaveLength(1);
    await set(false);
    await until(() => octo.webhooks.length === 0, 'the webhook to be removed');
    await uninstall('octo');
  });

  test('after a change of BASE_URL they go only to the new address, whichever host registers them', async () => {
    const variables = { DATABASE_URL: host.databaseUrl, BASE_URL: 'https://new.example' };
    await install();
    await untilState('registered');
    const [former = ''] = urls();
    const other = await startTestHost(variables);
    const moved = former.replace(baseUrl, 'https://new.example');
    await until(() => urls().every((url) => url === moved), 'the webhooks to be moved');
    expect(urls()).toHaveLength(3);
    await untilState('registered', other);
    expect(await announce(moved, other)).toBe(200);
    // One without routes does not know the address that vendors call.
    const dispatcher = await startTestHost({
      ...variables,
      BASE_URL: 'https://inner.example',
      ROLE: 'dispatcher',
    });
    await configure(other);
    await untilState('registered', other);
    expect(new Set(urls())).toEqual(new Set([moved]));
    await dispatcher.close();
    await other.close();
    await uninstall();
    await until(() => urls().length === 0, 'the webhooks to be removed');
  });
});

describe('webhooks at Roller', () => {
  const installation = '/v1/admin/pools/jump/installations/roller';
  let system: SimulatedRoller;
  let database: { readonly url: string; drop(): Promise<void> };
  let host: TestHost;

  const startHost = () =>
    startTestHost({
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS: encryptionKeys,
      BASE_URL: 'https://waivers.example',
    });

  beforeEach(async () => {
    const credentials = { clientId: 'venue-client', clientSecret: 'venue-secret-1' };
    [system, database] = await Promise.all([startRoller(credentials), createTestDatabase()]);
    host = await startHost();
    await host.call('PUT', '/v1/admin/pools/jump', { name: 'jump' });
    await host.call('PUT', '/v1/admin/booking-systems/roller', { baseUrl: system.url });
    const { clientId, clientSecret: apiKey } = credentials;
    await host.call('PUT', installation, { accountId: 20711, apiKey, clientId });
  });
  afterEach(async () => {
    await host.close();
    await Promise.all([system.close(), database.drop()]);
  });

  test('webhooks are removed after an uninstall by a host that has no token of the former installation', async () => {
    await until(() => system.webhooks.all.length > 0, 'the webhook to be registered');
    await host.close();
    host = await startHost();
    expect((await host.call('DELETE', installation)).status).toBe(200);
    await until(() => system.webhooks.all.length === 0, 'the webhook to be removed');
  });
});
