import { bookeoBooking, startBookeo } from '@waiver-service/plugin-bookeo/simulator';
import { checkfrontBooking, startCheckfront } from '@waiver-service/plugin-checkfront/simulator';
import { accountKey, startSystemFor, type TestCaller, textAt } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
const systems: { close(): Promise<void> }[] = [];
const apps = new Map<string, TestCaller>();

const bookeoKeys = { apiKey: accountKey, secretKey: 'application-key' };

/** Installs a vendor in a pool of the same name. */
async function install(
  installName: string,
  system: { readonly url: string; close(): Promise<void> },
  { settings = {}, account = {} }: { settings?: object; account?: object } = {},
) {
  systems.push(system);
  apps.set(installName, await host.makePool(installName));
  await host.admin('PUT', `/v1/admin/booking-systems/${installName}`, { baseUrl: system.url, settings });
  const body = { accountId: 1, apiKey: accountKey, ...account };
  const { status } = await host.admin(
    'PUT',
    `/v1/admin/pools/${installName}/installations/${installName}`,
    body,
  );
  expect(status).toBe(200);
}

const call = (pool: string, path: string) => {
  const app = apps.get(pool);
  if (app === undefined) throw new Error(`no pool ${pool}`);
  return app('GET', `/v1/pools/${pool}/${path}`);
};
const list = (pool: string, query: string) => call(pool, `bookings?${query}`);

/** Every id of a list, by pages of a size. */
async function idsOf(pool: string, period: string, limit = 100): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 50; pages += 1) {
    const { status, body } = await list(pool, `${period}&limit=${limit}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    ids.push(...body.items.map(({ bookingId }: { bookingId: string }) => bookingId));
    if (body.next === null) return ids;
    cursor = `&cursor=${encodeURIComponent(body.next)}`;
  }
  throw new Error('the list does not end');
}

const many = <Booking>(count: number, make: (number: number) => Booking) =>
  Array.from({ length: count }, (_, number) => make(number));

beforeAll(async () => {
  host = await startTestHost();
  await install(
    'bookeo',
    await startBookeo({
      ...bookeoKeys,
      bookings: [
        ...many(5, (number) => ({ ...bookeoBooking, bookingNumber: `1${number}` })),
        { ...bookeoBooking, bookingNumber: '20', canceled: true },
        { ...bookeoBooking, bookingNumber: '30', startTime: '2027-06-13T09:30:00+02:00' },
        { ...bookeoBooking, bookingNumber: '40', customerId: 'gone' },
        { ...bookeoBooking, bookingNumber: '5\u00000' },
      ],
    }),
    { settings: { secretKey: bookeoKeys.secretKey } },
  );
  await install(
    'checkfront',
    await startCheckfront({
      apiKey: accountKey,
      apiSecret: 'secret',
      bookings: many(4, (number) => checkfrontBooking({ code: `CODE-${number}`, number: 100 + number })),
    }),
    { account: { apiSecret: 'secret' } },
  );
  await install('standard', await startSystemFor('standard'));
});
afterAll(async () => {
  await host.close();
  for (const system of systems) await system.close();
});

const day = 'from=2027-06-12&until=2027-06-13&timeZone=Europe/Vienna';

describe('the bookings of a day', () => {
  // The lists of each vendor are in its plugin's tests.
  test('each once, whatever the size of a page', async () => {
    const ids = await idsOf('bookeo', day);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(4);
    for (const limit of [1, 2, 3]) expect(await idsOf('bookeo', day, limit)).toEqual(ids);
    expect(await idsOf('bookeo', 'from=2028-02-01&until=2028-03-01')).toEqual([]);
  });

  test('say how many have signed, cancelled ones among them, and what cannot be read is said', async () => {
    await apps.get('bookeo')?.('POST', '/v1/pools/bookeo/waivers', {
      bookingId: '12',
      answers: { name: 'Ann' },
    });
    const { body } = await list('bookeo', day);
    expect(body.bookingSystem).toBe('bookeo');
    const byId = new Map(body.items.map((item: { bookingId: string }) => [item.bookingId, item]));
    expect([...byId.keys()].toSorted()).toEqual(['10', '11', '12', '13', '14', '20', '40', '5\ufffd0']);
    expect(byId.get('5\ufffd0')).toMatchObject({
      booking: null,
      error: { code: 'invalid_booking_response' },
    });
    expect(byId.get('12')).toMatchObject({ waivers: { signed: 1, pax: 3 }, error: null });
    expect(byId.get('10')).toMatchObject({ waivers: { signed: 0, pax: 3 } });
    expect(byId.get('20')).toMatchObject({ booking: { statusGroup: 'cancelled' } });
    expect(byId.get('40')).toMatchObject({
      booking: null,
      waivers: { signed: 0, pax: null },
      error: { code: 'invalid_booking_response' },
    });
  });

  test('show a viewer no guests', async () => {
    const credential = { name: 'viewer', role: 'viewer', pools: ['bookeo'] };
    const viewer = host.as(
      textAt((await host.admin('POST', '/v1/admin/credentials', credential)).body, 'token'),
    );
    const { status, body, text } = await viewer('GET', `/v1/pools/bookeo/bookings?${day}`);
    expect(status).toBe(200);
    const shown = body.items.find(({ booking }: { booking: unknown }) => booking !== null);
    expect(shown).toMatchObject({ redacted: true, booking: { contact: null, guests: null, pax: 3 } });
    expect(text).not.toMatch(/zoe@example|Bäcker|Þórsson/);
    const unread = body.items.find(({ bookingId }: { bookingId: string }) => bookingId === '40');
    expect(unread.error.message).toContain('Not shown');
  });

  test('count the waivers of a booking’s other ids', async () => {
    await apps.get('checkfront')?.('POST', '/v1/pools/checkfront/waivers', {
      bookingId: '102',
      answers: { name: 'A' },
    });
    await call('checkfront', 'bookings/102');
    const { body } = await list('checkfront', 'from=2027-06-01&until=2027-07-01');
    const found = body.items.find(({ bookingId }: { bookingId: string }) => bookingId === 'CODE-2');
    expect(found).toMatchObject({ waivers: { signed: 1 } });
  });
});

describe('a list that cannot be', () => {
  test('a booking system that does not list bookings', async () => {
    const { status, body } = await list('standard', day);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'listing_not_supported' });
  });

  test.each([
    ['no period', ''],
    ['a time without a zone', 'from=2027-06-12T00:00:00&until=2027-06-13'],
    ['an end before the beginning', 'from=2027-06-13&until=2027-06-12'],
    ['an empty period', 'from=2027-06-12&until=2027-06-12'],
    ['more than 31 days', 'from=2027-06-01&until=2027-07-02T00:00:01Z'],
    ['no time zone', 'from=2027-06-12&until=2027-06-13&timeZone=Mars'],
    ['another parameter', `${day}&since=2027`],
    ['a cursor of another list', `${day}&cursor=xyz`],
    [
      'a cursor that the plugin did not make',
      `${day}&cursor=${Buffer.from('["x",0]').toString('base64url')}`,
    ],
    ['a limit of 101', `${day}&limit=101`],
  ])('%s is a 400', async (_, query) => {
    const { status, body } = await list('bookeo', query);
    expect(status, JSON.stringify(body)).toBe(400);
  });

  test('31 days are not too many', async () => {
    expect((await list('bookeo', 'from=2027-06-01&until=2027-07-02')).status).toBe(200);
  });
});

describe('testing an installation without a booking', () => {
  const check = (pool: string) =>
    host.admin('POST', `/v1/admin/pools/${pool}/installations/${pool}/test`, {});

  test('an account that is accepted', async () => {
    // `webhooks` too, as soon as they are looked after.
    expect((await check('checkfront')).body).toMatchObject({
      ok: true,
      warnings: [],
      durationMs: expect.any(Number),
      steps: expect.any(Array),
    });
  });

  test('a key that is not accepted is said', async () => {
    const body = { accountId: 1, apiKey: 'another-key', apiSecret: 'secret' };
    await host.admin('PUT', '/v1/admin/pools/checkfront/installations/checkfront', body);
    expect((await check('checkfront')).body).toMatchObject({
      ok: false,
      code: 'booking_system_auth_rejected',
    });
  });

  test('a booking system that cannot check it needs a booking', async () => {
    const { status, body } = await check('standard');
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'bookingId' }]);
  });
});
