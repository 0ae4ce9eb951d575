import { createHmac } from 'node:crypto';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { expect, test } from 'vitest';
import { bokunBooking, startBokun } from '../simulator/index.ts';

const keys = { accessKey: 'access-1', secretKey: 'secret-1' };
const path = `/booking.json/booking/${bokunBooking.confirmationCode}`;
const dateOf = (time: number) => new Date(time).toISOString().replace('T', ' ').slice(0, 19);

/** A request's headers, with some signed parts changed. */
function headersFor(
  signed: { date?: string; key?: string; method?: string; path?: string; secret?: string } = {},
) {
  const { date = dateOf(Date.now()), key = keys.accessKey, secret = keys.secretKey } = signed;
  const parts = [date, key, signed.method ?? 'GET', signed.path ?? path];
  return {
    'X-Bokun-Date': date,
    'X-Bokun-AccessKey': key,
    'X-Bokun-Signature': createHmac('sha1', secret).update(parts.join('')).digest('base64'),
  };
}

test('Bókun serves a booking by its code and by its number, to a signed request only', async () => {
  const system = await startBokun(keys);
  const get = async (headers: Record<string, string>, asked = path, method = 'GET') => {
    const answer = await fetch(`${system.url}${asked}`, { method, headers, redirect: 'manual' });
    return [answer.status, await answer.json()];
  };
  const refused = [401, expect.anything()];
  expect(await get(headersFor())).toEqual([200, bokunBooking]);
  const byNumber = `/booking.json/booking/${bokunBooking.bookingId}`;
  expect(await get(headersFor({ path: byNumber }), byNumber)).toEqual([200, bokunBooking]);
  const withQuery = `${path}?lang=EN`;
  expect(await get(headersFor({ path: withQuery }), withQuery)).toEqual([200, bokunBooking]);
  expect(await get(headersFor(), withQuery)).toEqual(refused);
  expect(await get(headersFor({ secret: 'other' }))).toEqual(refused);
  expect(await get(headersFor({ key: 'other' }))).toEqual(refused);
  expect(await get(headersFor({ method: 'POST' }))).toEqual(refused);
  expect(await get(headersFor({ date: dateOf(Date.now() - 10 * 60_000) }))).toEqual(refused);
  expect(await get(headersFor({ date: new Date().toISOString() }))).toEqual(refused);
  expect(await get({ ...headersFor(), 'X-Bokun-Signature': 'nonsense' })).toEqual(refused);
  expect(await get({})).toEqual(refused);
  const unknown = '/booking.json/booking/none';
  const message = { message: 'No booking was found', fields: {} };
  expect(await get(headersFor({ path: unknown }), unknown)).toEqual([404, message]);
  expect(await get(headersFor({ method: 'PUT' }), path, 'PUT')).toEqual([404, expect.anything()]);
  await system.close();
});

test('a key without the permission is redirected', async () => {
  const system = await startBokun({ ...keys, mayRead: false });
  const answer = await fetch(`${system.url}${path}`, { headers: headersFor(), redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
  await system.close();
});

test('an app’s webhook is signed over its headers; a channel’s notification is the booking', async () => {
  const [system, receiver] = await Promise.all([
    startBokun({ ...keys, appSecret: 'app-secret-1' }),
    startWebhookReceiver({ auth: { type: 'none' } }),
  ]);
  await system.announce(receiver.url, bokunBooking.confirmationCode, 'bookings/cancel');
  await system.notify(receiver.url, bokunBooking.confirmationCode);
  const [webhook, notification] = await receiver.untilReceived('webhook', 2);
  const signed =
    'x-bokun-apikey=app-key&x-bokun-booking-id=Qm9va2luZzoxMDU2OTg3MzU=&x-bokun-topic=bookings/cancel&x-bokun-vendor-id=VmVuZG9yOjQ=';
  expect(webhook?.headers).toMatchObject({
    'x-bokun-topic': 'bookings/cancel',
    'x-bokun-booking-id': 'Qm9va2luZzoxMDU2OTg3MzU=',
    'x-bokun-hmac': createHmac('sha256', 'app-secret-1').update(signed).digest('hex'),
  });
  expect(notification?.headers['x-bokun-topic']).toBe('');
  expect(JSON.parse(String(notification?.body))).toEqual(bokunBooking);
  await Promise.all([system.close(), receiver.close()]);
});

test('a search finds booked activities by their start dates, page by page', async () => {
  const system = await startBokun(keys);
  const searchPath = '/booking.json/product-booking-search';
  const search = async (query: unknown, type = 'application/json') => {
    const headers = { ...headersFor({ method: 'POST', path: searchPath }), 'content-type': type };
    const body = typeof query === 'string' ? query : JSON.stringify(query);
    const answer = await fetch(`${system.url}${searchPath}`, { method: 'POST', headers, body });
    const { totalHits, results } = await answer.json();
    return answer.status === 200 ? [totalHits, results.length] : answer.status;
  };
  const [from, to] = ['2027-06-12T09:00:00Z', '2027-06-12T09:00:00.000Z'];
  expect(await search({})).toEqual([1, 1]);
  expect(await search({ page: 2 })).toEqual([1, 0]);
  expect(await search({ startDateRange: { from, to } })).toEqual([1, 1]);
  expect(await search({ startDateRange: { from, to, includeLower: false } })).toEqual([0, 0]);
  expect(await search({ startDateRange: { from, to, includeUpper: false } })).toEqual([0, 0]);
  for (const query of [{ page: 0 }, { pageSize: 0 }, { startDateRange: { from } }, '{', '']) {
    expect(await search(query)).toBe(400);
  }
  expect(await search({}, 'text/plain')).toBe(400);
  await system.close();
});
