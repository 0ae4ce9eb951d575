import { prepareInstalled, type TestCaller, textAt } from '@waiver-service/testing';
import { afterAll, expect, test } from 'vitest';
import { startDayHost } from '../setup/day-host.ts';

const { host, app, close } = await prepareInstalled(startDayHost());
afterAll(close);
for (const id of ['BK-1001', 'BK-1003']) await app('GET', `/v1/pools/rafting/bookings/${id}`);

const pool = '/v1/admin/pools/rafting';
const day = `${pool}/days/2027-06-12`;
const ofBooking = (id: string) => `${day}/bookings/${encodeURIComponent(id)}/arrivals`;
const put = (caller: TestCaller, id: string, guests: string[], arrived: boolean) =>
  caller('PUT', ofBooking(id), { bookingSystem: 'standard', guests, arrived });

async function bookingOf(id: string) {
  const { body } = await host.admin('GET', day);
  return body.bookings.find(({ bookingId }: { bookingId: string }) => bookingId === id);
}

const credential = async (name: string, role: string) => {
  const { body } = await host.admin('POST', '/v1/admin/credentials', { name, role, pools: ['rafting'] });
  return host.as(textAt(body, 'token'));
};

const desk = await credential('Front desk', 'operator');
const viewer = await credential('Accounting', 'viewer');

test('staff note who has arrived: once, by whom and when, and take it back', async () => {
  const first = await put(desk, 'BK-1001', ['guest:G-1', 'guest:G-2'], true);
  expect(first.status).toBe(204);
  const [zoe, li, siobhan] = (await bookingOf('BK-1001')).guests;
  expect(zoe.arrival).toEqual({ at: expect.any(String), by: 'Front desk' });
  expect(siobhan.arrival).toBeNull();
  // Repeated by somebody else, the first person and time stay.
  await put(host.admin, 'BK-1001', ['guest:G-1'], true);
  expect((await bookingOf('BK-1001')).guests[0].arrival).toEqual(zoe.arrival);
  expect(li.arrival).not.toBeNull();
  await put(desk, 'BK-1001', ['guest:G-2', 'guest:G-3'], false);
  expect(await bookingOf('BK-1001')).toMatchObject({
    arrived: 1,
    guests: [{ arrival: { by: 'Front desk' } }, { arrival: null }, { arrival: null }],
  });
});

test('a booking without names has places to tick, and a guest’s tick is that of one day', async () => {
  await put(desk, 'BK-1003', ['place:1', 'place:24'], true);
  const { guests, arrived } = await bookingOf('BK-1003');
  expect(guests).toHaveLength(24);
  expect([arrived, guests[0].arrival?.by, guests[1].arrival]).toEqual([2, 'Front desk', null]);
  const { body } = await host.admin('GET', `${pool}/days/2027-06-13`);
  expect(body.counts.arrived).toBe(0);
});

test('what cannot be ticked is refused', async () => {
  const refusals = [
    await put(viewer, 'BK-1001', ['guest:G-1'], true),
    await put(app, 'BK-1001', ['guest:G-1'], true),
    await put(desk, 'BK-none', ['guest:G-1'], true),
    await put(desk, 'BK-1001', [], true),
    await put(desk, 'BK-1001', ['G-1'], true),
    await put(desk, 'BK-1001', ['place:0'], true),
    await put(desk, 'BK-1001', [`guest:${'x'.repeat(257)}`], true),
    await put(
      desk,
      'BK-1001',
      Array.from({ length: 1_001 }, (_, place) => `place:${place + 1}`),
      true,
    ),
    await desk('PUT', `${day}/waivers/no-such/arrival`, { arrived: true }),
    await viewer('PUT', `${day}/waivers/no-such/arrival`, { arrived: true }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 404, 400, 400, 400, 400, 400, 404, 403]);
});
