import { createHmac, randomUUID } from 'node:crypto';
import { wrongKeysPerMinute } from '@waiver-service/integration/testing';
import { bookeoBooking, type SimulatedBookeo, startBookeo } from '@waiver-service/plugin-bookeo/simulator';
import { type SimulatedXola, startXola, xolaOrder } from '@waiver-service/plugin-xola/simulator';
import { until } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const baseUrl = 'https://waivers.example';
const keys = { apiKey: 'account-key', secretKey: 'application-key' };
const webhookSecret = 'secret-of-the-app-at-xola';
const { bookingNumber } = bookeoBooking;

let host: TestHost;
let second: TestHost;
let bookeo: SimulatedBookeo;
let xola: SimulatedXola;
let webhookUrl: string;

beforeAll(async () => {
  [bookeo, xola] = await Promise.all([startBookeo(keys), startXola({ apiKey: 'seller-key' })]);
  // A read that a busy machine ends is repeated after a long time only.
  const variables = { BASE_URL: baseUrl, TRUST_PROXY: '1', OUTBOUND_TIMEOUT: '20s' };
  host = await startTestHost(variables);
  second = await startTestHost({ ...variables, DATABASE_URL: host.databaseUrl });
  for (const pool of ['east', 'west', 'north']) await host.preparePool(pool, 'bookeo');
  const settings = { secretKey: keys.secretKey };
  await host.call('PUT', '/v1/admin/booking-systems/bookeo', { baseUrl: bookeo.url, settings });
  const { body } = await install('east', 'bookeo', { accountId: 1, apiKey: keys.apiKey });
  ({ webhookUrl } = body);
  await host.call('PUT', '/v1/admin/booking-systems/xola', {
    baseUrl: xola.url,
    settings: { webhookSecret },
  });
  for (const pool of ['east', 'west']) {
    await install(pool, 'xola', {
      accountId: xolaOrder.seller.id,
      apiKey: 'seller-key',
      durationMinutes: 60,
    });
  }
  await install('north', 'xola', { accountId: 12, apiKey: 'seller-key', durationMinutes: 60 });
});
afterAll(async () => {
  await second?.close();
  await host?.close();
  await Promise.all([bookeo?.close(), xola?.close()]);
});

const install = (pool: string, name: string, account: object) =>
  host.call('PUT', `/v1/admin/pools/${pool}/installations/${name}`, account);

interface Message {
  readonly id?: string;
  readonly itemId?: unknown;
  readonly sentAt?: number;
  readonly secretKey?: string;
  readonly url?: string;
  readonly lost?: boolean;
  readonly changeBody?: (body: string) => string;
  readonly from?: TestHost;
  readonly address?: string;
  /** Instead of the app pool key in the URL. */
  readonly keyInBody?: boolean;
}

/** Calls as Bookeo does: the signature is over the address that it was given. */
function announce({
  id = randomUUID(),
  itemId = bookingNumber,
  sentAt = Date.now(),
  secretKey = keys.secretKey,
  url = webhookUrl,
  lost = false,
  changeBody = String,
  from = host,
  address = '203.0.113.7',
  keyInBody = false,
}: Message = {}) {
  const key = new URL(url).searchParams.get('key');
  const called = keyInBody ? url.replace(/\?.*/, '') : url;
  const body = JSON.stringify({ itemId, item: null, ...(keyInBody ? { key } : {}) });
  const signature = createHmac('sha256', secretKey).update(`${sentAt}${id}${called}${body}`).digest('hex');
  return from.call('POST', called.slice(baseUrl.length), changeBody(body), {
    token: null,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      'x-bookeo-timestamp': String(sentAt),
      'x-bookeo-messageid': id,
      'x-bookeo-signature': signature,
      ...(lost ? { 'x-bookeo-previousmessagelost': 'true' } : {}),
    },
  });
}

const readsOf = (id: string) =>
  bookeo.received.filter(({ path }) => path.startsWith(`/bookings/${id}?`)).length;
const named = (...ids: string[]) => ({ status: 200, body: { bookings: ids.map((id) => ({ id })) } });

describe('calls that the vendor signs', () => {
  test('are taken, and their bookings read again', async () => {
    expect(await announce()).toMatchObject(named(bookingNumber));
    await until(() => readsOf(bookingNumber) > 0, 'the booking to be read');
  });

  test('are refused unless this vendor signed this body for this address just now', async () => {
    const tolerance = 120_000;
    const otherKey = new URL(webhookUrl);
    otherKey.searchParams.append('x', '1');
    for (const message of [
      { secretKey: 'another-key' },
      { changeBody: (body: string) => `${body} ` },
      { changeBody: () => '{' },
      { sentAt: Date.now() - tolerance - 1_000 },
      { sentAt: Date.now() + tolerance + 5_000 },
    ]) {
      expect(await announce({ itemId: '9001', ...message }), JSON.stringify(message)).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      });
    }
    expect(await announce({ sentAt: Date.now() - tolerance + 5_000 })).toMatchObject({ status: 200 });
    const stale = await announce({ sentAt: 0 });
    expect(stale.body.message).toContain('another time');
    await announce();
    expect(readsOf('9001')).toBe(0);
    expect(host.lines.join('')).not.toContain(keys.secretKey);
  });

  test('need the app pool key outside of the body, which is not parsed before', async () => {
    expect((await announce({ keyInBody: true })).status).toBe(401);
    const wrongKey = webhookUrl.replace(/key=.*/, 'key=wrong');
    expect((await announce({ url: wrongKey })).status).toBe(401);
  });

  test('count as wrong keys do if they are forged, and a right one is never refused for them', async () => {
    const address = '203.0.113.99';
    for (let count = 0; count < wrongKeysPerMinute; count += 1) {
      expect((await announce({ secretKey: 'x', address })).status).toBe(401);
    }
    expect((await announce({ secretKey: 'x', address })).status).toBe(429);
    expect((await announce({ address })).status).toBe(200);
  });

  test('lead to nothing when they come again, also to another host', async () => {
    const message = { id: 'message-1', itemId: '9002' };
    expect(await announce(message)).toMatchObject(named('9002'));
    await until(() => readsOf('9002') === 1, 'the booking to be read');
    // Either host may have read it.
    const lines = () => [...host.lines, ...second.lines].join('');
    await until(() => lines().includes('could not be read again'), 'the read to end');
    for (const from of [host, second, second]) {
      expect(await announce({ ...message, from })).toMatchObject(named('9002'));
    }
    // A booking queued later was read, so one queued before would have been, too.
    await announce({ itemId: '9003' });
    await until(() => readsOf('9003') === 1, 'the later booking to be read');
    expect(readsOf('9002')).toBe(1);
  });

  test('lead to a read of what has changed if the vendor says that some were lost', async () => {
    const before = readsOf(bookingNumber);
    // It has been asked what changed by now, or not yet: then everything is read that was read lately.
    bookeo.put({ ...bookeoBooking, lastChangeTime: new Date().toISOString() });
    expect(await announce({ itemId: '4155500C1', lost: true })).toMatchObject(named());
    await until(() => readsOf(bookingNumber) > before, 'the booking to be read');
  });

  test('cannot be verified while the settings are missing, and say so', async () => {
    const bare = await startTestHost({ BASE_URL: baseUrl });
    await bare.preparePool('east', 'bookeo');
    const path = '/v1/admin/pools/east/installations/bookeo';
    const { body } = await bare.call('PUT', path, { accountId: 1, apiKey: 'k' });
    const answer = await announce({ url: body.webhookUrl, from: bare });
    expect(answer).toMatchObject({ status: 409, body: { code: 'booking_system_not_configured' } });
    await bare.close();
  });
});

describe('one address for all accounts', () => {
  const order = (seller: unknown, id = xolaOrder.id) => ({
    eventName: 'order.update',
    data: { id, seller: { id: seller } },
  });
  const call = (body: unknown, query = `?secret=${webhookSecret}`) =>
    host.call('POST', `/integration/webhook/xola${query}`, body, {
      token: null,
      headers: { 'x-forwarded-for': '203.0.113.8' },
    });
  const reads = () => xola.received.filter(({ path }) => path.endsWith(xolaOrder.id)).length;

  test('is what an install returns, without a key', async () => {
    const { body } = await install('north', 'xola', { accountId: 12, apiKey: 'k', durationMinutes: 60 });
    expect(body.webhookUrl).toBe(`${baseUrl}/integration/webhook/xola`);
  });

  test('takes a call for every pool in which its account is installed, and for no other', async () => {
    expect(await call(order(xolaOrder.seller.id))).toMatchObject(named(xolaOrder.id));
    await until(() => reads() === 2, 'the order to be read for both pools');
    expect(await call(order(12, '77'))).toMatchObject(named('77'));
  });

  test('answers 200 for an account that is not installed, and for none', async () => {
    expect(await call(order('unknown'))).toMatchObject(named());
    expect(await call({ eventName: 'experience.update', data: { id: 'e' } })).toMatchObject(named());
  });

  test('refuses callers that do not know the secret, whatever key or body', async () => {
    for (const query of ['', '?secret=', `?secret=${webhookSecret}x`, `?key=${webhookSecret}`]) {
      expect((await call(order(12), query)).status, query).toBe(401);
    }
    expect((await call('{', '?secret=x')).status).toBe(401);
    expect(host.lines.join('')).not.toContain(webhookSecret);
  });

  test('gets a 400 for something that is not its call', async () => {
    expect(await call([])).toMatchObject({ status: 400, body: { code: 'malformed' } });
  });
});
