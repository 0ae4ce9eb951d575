import { startWebhookReceiver } from '@waiver-service/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rollerBooking, rollerGuestId, type SimulatedRoller, startRoller } from '../simulator/index.ts';

const credentials = { clientId: 'venue-client', clientSecret: 'venue-secret' };
const { uniqueId, bookingReference } = rollerBooking;
const json = { accept: 'application/json', 'content-type': 'application/json' };
let system: SimulatedRoller;
beforeEach(async () => {
  system = await startRoller(credentials);
});
afterEach(() => system.close());

const askForToken = (body: unknown, headers: Record<string, string> = json) =>
  fetch(`${system.url}/token`, { method: 'POST', headers, body: JSON.stringify(body) });

async function authorization(): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  const { access_token: token } = await (await askForToken({ client_id, client_secret })).json();
  return `Bearer ${token}`;
}
const get = async (path: string, headers: Record<string, string> = {}) =>
  fetch(`${system.url}/${path}`, { headers: { ...json, authorization: await authorization(), ...headers } });
const put = async (change: object, id = uniqueId) =>
  fetch(`${system.url}/bookings/${id}`, {
    method: 'PUT',
    headers: { ...json, authorization: await authorization() },
    body: JSON.stringify(change),
  });
const booking = () => system.bookings.get(uniqueId);

describe('tokens', () => {
  test('are issued for the credentials in JSON, for a day', async () => {
    const answer = await askForToken({ client_id: 'venue-client', client_secret: 'venue-secret' });
    expect(await answer.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86_400,
    });
  });

  test.each([
    ['another secret', { client_id: 'venue-client', client_secret: 'x' }, json, 401],
    ['another client', { client_id: 'x', client_secret: 'venue-secret' }, json, 401],
    ['nothing', {}, json, 401],
    ['no type', {}, { ...json, 'content-type': 'text/plain' }, 415],
    ['no type to answer in', {}, { ...json, accept: 'text/html' }, 406],
  ])('are refused for %s', async (_what, body, headers, status) => {
    expect((await askForToken(body, headers)).status).toBe(status);
    expect(system.tokens.count).toBe(0);
  });

  test('are demanded of every other request, and end', async () => {
    const authorized = await authorization();
    const read = () =>
      fetch(`${system.url}/bookings/${uniqueId}`, { headers: { ...json, authorization: authorized } });
    expect((await read()).status).toBe(200);
    system.tokens.revokeAll();
    expect((await read()).status).toBe(401);
    expect((await get('venues/me', { authorization: 'Bearer x' })).status).toBe(401);
  });
});

describe('reading', () => {
  test('takes the unique id and the reference of a booking', async () => {
    for (const id of [uniqueId, bookingReference]) {
      expect(await (await get(`bookings/${id}`)).json()).toEqual(rollerBooking);
    }
    expect((await get('bookings/x')).status).toBe(404);
  });

  test('shows metadata only if there is any', async () => {
    system.put({ ...rollerBooking, metadata: {} });
    expect(await (await get(`bookings/${uniqueId}`)).json()).not.toHaveProperty('metadata');
  });

  test('knows guests, the venue, and products by type', async () => {
    expect(await (await get(`guests/${rollerGuestId}`)).json()).toMatchObject({ firstName: 'Zoë' });
    expect((await get('guests/1')).status).toBe(404);
    expect(await (await get('venues/me')).json()).toMatchObject({ ianaTimeZone: 'Europe/Vienna' });
    expect(await (await get('products')).json()).toHaveLength(3);
    expect(await (await get('products?productType=Pass')).json()).toHaveLength(2);
    expect((await get('staff')).status).toBe(404);
  });
});

describe('a change', () => {
  test('merges metadata without its HTML, and loses what it leaves out otherwise', async () => {
    system.put({ ...rollerBooking, name: 'A party' });
    const { status } = await put({ metadata: { a: '<b>1</b>', reservationSource: null } });
    expect(status).toBe(200);
    expect(booking()).toMatchObject({ metadata: { a: '1' }, name: 'Zoë Bäcker', comments: null });
  });

  test('of a ticket keeps a name that is left out, and loses the custom id and the end of the item', async () => {
    const ticketId = '91004417-88002';
    await put({ itemsToUpdate: [{ bookingItemId: '770001', tickets: [{ ticketId }] }] });
    expect(booking()?.items[0]).toMatchObject({ bookingEndDate: null, tickets: [{}, { ticketId }] });
    expect(booking()?.items[0]?.tickets[1]?.ticketHolderName).toBe('Ægir Þórsson');
    const named = [
      { ticketId: '91004417-88001', name: 'A' },
      { ticketId, name: '' },
    ];
    await put({ itemsToUpdate: [{ bookingItemId: '770001', tickets: named }] });
    expect(booking()?.items[0]?.tickets).toEqual([
      { ticketId: '91004417-88001', ticketHolderName: 'A' },
      { ticketId, ticketHolderName: null },
    ]);
  });

  test.each([
    ['a key of 41 characters', { metadata: { ['k'.repeat(41)]: 'v' } }, 409],
    ['a value of 501 characters', { metadata: { k: 'v'.repeat(501) } }, 409],
    [
      '20 entries more',
      { metadata: Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`k${nth}`, 'v'])) },
      409,
    ],
    ['comments of 501 characters', { comments: 'c'.repeat(501) }, 400],
    ['a name of 129 characters', { name: 'n'.repeat(129) }, 400],
    [
      'a ticket’s name of 51 characters',
      { itemsToUpdate: [{ bookingItemId: '770001', tickets: [{ name: 'n'.repeat(51) }] }] },
      400,
    ],
    [
      'a ticket’s own id of 33 characters',
      { itemsToUpdate: [{ bookingItemId: '770001', tickets: [{ customTicketId: 'n'.repeat(33) }] }] },
      400,
    ],
  ])('is refused for %s, and changes nothing', async (_what, change, status) => {
    const answer = await put(change);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({
      errors: [{ name: expect.any(String), message: expect.any(String) }],
    });
    expect(booking()).toEqual(rollerBooking);
  });

  test('is refused by the reference, of a cancelled booking, and of what is no object', async () => {
    expect((await put({}, bookingReference)).status).toBe(404);
    expect((await put([])).status).toBe(400);
    system.put({ ...rollerBooking, status: 'Cancelled' });
    expect((await put({})).status).toBe(409);
  });

  test('of a booking that the API did not make may be forbidden', async () => {
    await system.close();
    system = await startRoller({ ...credentials, isOnlyOwnChanged: true });
    expect((await put({})).status).toBe(403);
    system.put({ ...rollerBooking, channel: 'Api' });
    expect((await put({})).status).toBe(200);
  });
});

test('beyond its limits everything is refused, without saying how long', async () => {
  const headers = { ...json, authorization: await authorization() };
  const limited = system.limitRequests([{ requests: 2, windowMs: 2_000 }]);
  const statuses = [];
  for (const _nth of [1, 2, 3]) statuses.push((await fetch(`${system.url}/venues/me`, { headers })).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect(limited.refused).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const answer = await fetch(`${system.url}/venues/me`, { headers });
  expect(answer.status, 'it cools off for a minute').toBe(429);
  expect(answer.headers.has('retry-after')).toBe(false);
});

test('announces a change by a message with the key of the webhook', async () => {
  const receiver = await startWebhookReceiver();
  expect(await system.announce(receiver.url, uniqueId, 'hook-key')).toBe(200);
  const [request] = receiver.received;
  expect(request?.headers['x-roller-apikey']).toBe('hook-key');
  expect(JSON.parse(request?.body.toString() ?? '')).toMatchObject({
    id: expect.any(String),
    type: 'Booking',
    eventType: 'Updated',
    data: { uniqueId, bookingReference },
  });
  await receiver.close();
});
