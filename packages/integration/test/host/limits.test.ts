import { type SimulatedBookingSystem, seededBookings } from '@waiver-service/simulator';
import { startSystemFor, startTestHost, type TestCaller, type TestHost } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let host: TestHost;
let system: SimulatedBookingSystem;
let app: TestCaller;

const waivers = '/v1/pools/rafting/waivers';
const kib = 1024;

beforeAll(async () => {
  [host, system] = await Promise.all([startTestHost(), startSystemFor('standard')]);
  app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
});

afterAll(async () => {
  await host?.close();
  await system?.close();
});

/** Answers of so many KiB, in texts as long as one may be. */
function answersOf(sizeKib: number, prefix = 'own') {
  const texts = Array.from({ length: Math.ceil((sizeKib * kib) / 9_000) }, (_, place) => [
    `${prefix}${place}`,
    'x'.repeat(9_000),
  ]);
  return { name: 'Ann', ...Object.fromEntries(texts) };
}

describe('the size of a record', () => {
  it('is limited over all its changes: 413 with a sentence, and the record stays as it was', async () => {
    await app('POST', waivers, { id: 'large', answers: answersOf(200) });
    const refused = await app('PATCH', `${waivers}/large`, { answers: answersOf(100, 'more') });
    expect(refused).toMatchObject({
      status: 413,
      body: { success: false, code: 'waiver_too_large', message: expect.stringContaining('256 KiB') },
    });
    expect(await app('GET', `${waivers}/large`)).toMatchObject({ status: 200, body: { version: 1 } });
    expect((await app('PATCH', `${waivers}/large`, { answers: { own0: null } })).status).toBe(200);
  });
});

describe('times that no calendar of ours has', () => {
  const cursorOf = (...position: string[]) => Buffer.from(JSON.stringify(position)).toString('base64url');

  it.each([
    '+200000-01-01T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '1899-12-31T23:59:59.999Z',
    '2200-01-01T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026',
    '',
  ])('a cursor of %s is a 400', async (time) => {
    const answer = await app('GET', `${waivers}?cursor=${cursorOf(time, 'W-1')}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } });
  });

  it.each(['1900-01-01T00:00:00.000Z', '2199-12-31T23:59:59.999Z'])(
    'a cursor of %s is accepted',
    async (time) => {
      expect((await app('GET', `${waivers}?cursor=${cursorOf(time, 'W-1')}`)).status).toBe(200);
    },
  );

  it.each([
    '0001-01-01T00:00:00+02:00',
    '1900-01-01T00:00:00+01:00',
    '2199-12-31T23:59:59-01:00',
    '9999-12-31T23:59:59Z',
  ])('lastVisit %s and updatedSince %s are a 400', async (time) => {
    const body = { lastVisit: time, answers: { name: 'Ann' } };
    expect((await app('POST', waivers, body)).status).toBe(400);
    const since = await app('GET', `${waivers}?updatedSince=${encodeURIComponent(time)}`);
    expect(since.status).toBe(400);
    const deliveries = await host.admin('GET', `/v1/admin/deliveries?since=${encodeURIComponent(time)}`);
    expect(deliveries.status).toBe(400);
  });

  it('of a session do not keep anyone from signing: lastVisit is then the time of creation', async () => {
    const sessions = ['0001-01-01T00:00:00+02:00', '9999-12-31T23:30:00-02:00'].map((startsAt) => ({
      startsAt,
      endsAt: startsAt,
      activityId: 'raft',
      activityName: 'Raft',
    }));
    const [booking] = seededBookings;
    if (booking) system.bookings.add({ ...booking, id: 'YEAR-1', bookedSessions: sessions });
    await app('GET', '/v1/pools/rafting/bookings/YEAR-1');
    const signed = await app('POST', waivers, { bookingId: 'YEAR-1', answers: { name: 'Ann' } });
    expect(signed.status).toBe(201);
    expect(signed.body.lastVisit).toBe(signed.body.createdAt);
  });
});
