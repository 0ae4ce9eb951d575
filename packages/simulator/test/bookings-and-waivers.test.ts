import { bookingNotFoundSchema } from '@waiver-service/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BookingSystemOptions, type SimulatedBookingSystem, startBookingSystem } from '../src/index.ts';

const apiKey = 'account-key';
let system: SimulatedBookingSystem;
const start = async (how: Partial<BookingSystemOptions> = {}) => {
  system = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey,
    pathShape: 'path',
    form: 'current',
    ...how,
  });
};
afterEach(() => system.close());

describe('booking details', () => {
  const get = (path: string, headers: Record<string, string> = { 'api-key': apiKey }) =>
    fetch(`${system.url}${path}`, { headers });

  test('a legacy booking runs from its first start to its last end', async () => {
    await start({ form: 'legacy' });
    expect(await (await get('/bookings/BK-1002?pool=p')).json()).toMatchObject({
      startsAt: '2027-06-12T07:30:00Z',
      endsAt: '2027-06-12T21:00:00Z',
      notes: null,
      activities: [
        { activityId: 'canyon-half-day' },
        { activityId: 'raft-inn' },
        { activityId: 'night-zip', activity: '夜間ジップライン' },
      ],
    });
  });

  test('the query shape, another header, and an id that must be encoded', async () => {
    await start({ authHeaderName: 'authentication', pathShape: 'query' });
    const path = `/bookings?id=${encodeURIComponent('BK/10 05?é')}&pool=p`;
    const answer = await get(path, { authentication: apiKey });
    expect(await answer.json()).toMatchObject({ id: 'BK/10 05?é' });
    expect(system.received[0]).toMatchObject({
      route: 'read',
      method: 'GET',
      path,
      answer: { status: 200 },
    });
    expect((await get('/bookings/BK-1001?pool=p', { authentication: apiKey })).status).toBe(404);
  });

  test('an unknown booking, a wrong key, a missing pool, another pool', async () => {
    await start({ pools: ['p'] });
    const unknown = await get('/bookings/NONE?pool=p');
    expect(unknown.status).toBe(404);
    expect(bookingNotFoundSchema.parse(await unknown.json()).message).toContain('NONE');
    expect((await get('/bookings/BK-1001?pool=p', { 'api-key': 'another' })).status).toBe(401);
    expect((await get('/bookings/BK-1001')).status).toBe(400);
    expect((await get('/bookings/BK-1001?pool=q')).status).toBe(403);
    expect((await get('/bookings/%E0%A4%A?pool=p')).status).toBe(404);
  });
});

const waiver = {
  id: 'w/1 ü',
  pool: 'p',
  bookingId: 'BK-1001',
  bookingGuestId: 'G 1',
  lastVisit: '2027-06-12T07:30:00.000Z',
  deleted: false,
  updatedAt: '2027-06-12T07:00:00.000Z',
};
beforeEach(() => start());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${system.url}${path}`, {
    method: 'POST',
    headers: { 'API-key': apiKey, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('guest update', () => {
  test.each(['G%201', encodeURIComponent(waiver.id), ''])(
    'is kept when the path ends in "%s"',
    async (part) => {
      const answer = await post(`/bookings/BK-1001/guests/${part}?bookingId=BK-1001&bookingGuestId=G+1`, {
        waiver: { ...waiver, dateOfBirth: '1990-01-02' },
      });
      expect(await answer.json()).toEqual({ success: true });
      expect(system.waivers.get(waiver.id)).toEqual({ ...waiver, dateOfBirth: '1990-01-02' });
    },
  );

  test('a void removes the waiver', async () => {
    await post('/bookings/BK-1001/guests/', { waiver });
    expect(system.waivers.size).toBe(1);
    await post('/bookings/BK-1001/guests/', { waiver: { ...waiver, deleted: true } });
    expect(system.waivers.size).toBe(0);
  });

  test('the raw bytes and headers of each request are recorded', async () => {
    const body = `{ "waiver" : ${JSON.stringify(waiver)} }`;
    await post('/bookings/BK-1001/guests/', body);
    const [request] = await system.untilReceived('guest-update', 1);
    expect(request?.body.toString()).toBe(body);
    expect(request?.rawHeaders).toContain('API-key');
    expect(request?.headers['api-key']).toBe(apiKey);
  });

  test.each([
    ['a wrong key', '/bookings/BK-1001/guests/', { waiver }, { 'API-key': 'no' }, 401],
    ['another content type', '/bookings/BK-1001/guests/', { waiver }, { 'content-type': 'text/plain' }, 415],
    ['half a JSON', '/bookings/BK-1001/guests/', '{"waiver":', {}, 400],
    ['a missing field', '/bookings/BK-1001/guests/', { waiver: { ...waiver, pool: undefined } }, {}, 400],
    ['another booking in the path', '/bookings/BK-1/guests/', { waiver }, {}, 400],
    ['another guest in the path', '/bookings/BK-1001/guests/G-9', { waiver }, {}, 400],
    ['another booking in the query', '/bookings/BK-1001/guests/?bookingId=x', { waiver }, {}, 400],
    ['another guest in the query', '/bookings/BK-1001/guests/?bookingGuestId=x', { waiver }, {}, 400],
    ['a body past the limit', '/bookings/BK-1001/guests/', 'x'.repeat(8 * 1024 * 1024 + 1), {}, 413],
  ])('%s is refused', async (_what, path, body, headers, status) => {
    const answer = await post(path, body, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false });
    expect(system.waivers.size).toBe(0);
  });
});
