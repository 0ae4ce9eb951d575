import { bookingNotFoundSchema } from '@waiver-service/core';
import { afterEach, describe, expect, test } from 'vitest';
import { type SimulatedBookingSystem, startBookingSystem } from '../src/index.ts';

const apiKey = 'account-key';
let system: SimulatedBookingSystem;
afterEach(() => system.close());

const get = (path: string, headers: Record<string, string> = { 'api-key': apiKey }) =>
  fetch(`${system.url}${path}`, { headers });

describe('booking details', () => {
  test('a legacy booking runs from its first start to its last end', async () => {
    system = await startBookingSystem({
      authHeaderName: 'api-key',
      apiKey,
      pathShape: 'path',
      form: 'legacy',
    });
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
    system = await startBookingSystem({
      authHeaderName: 'authentication',
      apiKey,
      pathShape: 'query',
      form: 'current',
    });
    const path = `/bookings?id=${encodeURIComponent('BK/10 05?é')}&pool=p`;
    const answer = await get(path, { authentication: apiKey });
    expect(await answer.json()).toMatchObject({ id: 'BK/10 05?é' });
    expect(system.received[0]).toMatchObject({ route: 'read', method: 'GET', path, answer: { status: 200 } });
    expect((await get('/bookings/BK-1001?pool=p', { authentication: apiKey })).status).toBe(404);
  });

  test('an unknown booking, a wrong key, a missing pool, another pool', async () => {
    system = await startBookingSystem({
      authHeaderName: 'api-key',
      apiKey,
      pathShape: 'path',
      form: 'current',
      pools: ['p'],
    });
    const unknown = await get('/bookings/NONE?pool=p');
    expect(unknown.status).toBe(404);
    expect(bookingNotFoundSchema.parse(await unknown.json()).message).toContain('NONE');
    expect((await get('/bookings/BK-1001?pool=p', { 'api-key': 'another' })).status).toBe(401);
    expect((await get('/bookings/BK-1001')).status).toBe(400);
    expect((await get('/bookings/BK-1001?pool=q')).status).toBe(403);
    expect((await get('/bookings/%E0%A4%A?pool=p')).status).toBe(404);
  });
});
