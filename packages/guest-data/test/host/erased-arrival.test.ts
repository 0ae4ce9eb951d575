import { startSystemFor, textAt, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startGuestDataHost } from '../setup/guest-data-host.ts';

const pool = '/v1/admin/pools/rafting';
const day = `${pool}/days/2027-06-12`;

test('the tick of a walk-in stays when the waiver is attached, and goes with its erasure', async () => {
  const [host, system] = await Promise.all([startGuestDataHost(), startSystemFor('standard')]);
  onTestFinished(async () => {
    await host.close();
    await system.close();
  });
  const app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
  await app('GET', '/v1/pools/rafting/bookings/BK-1001');
  const bookingNow = async () =>
    (await host.admin('GET', day)).body.bookings.find(
      ({ bookingId }: { bookingId: string }) => bookingId === 'BK-1001',
    );
  const lastVisit = '2027-06-12T08:00:00Z';
  const { body } = await app('POST', '/v1/pools/rafting/waivers', { lastVisit, answers: { name: 'Ida' } });
  const id = textAt(body, 'id');
  const ticked = await host.admin('PUT', `${day}/waivers/${id}/arrival`, { arrived: true });
  expect(ticked.status).toBe(204);
  expect((await host.admin('GET', day)).body.walkIns).toMatchObject([{ arrival: { by: 'admin' } }]);
  await host.admin('PUT', `${pool}/waivers/${id}/booking`, { bookingId: 'BK-1001', bookingGuestId: 'G-3' });
  expect((await bookingNow()).guests[2]).toMatchObject({
    waiverId: id,
    arrival: { by: 'admin' },
  });
  await host.admin('PUT', `${day}/bookings/BK-1001/arrivals`, {
    bookingSystem: 'standard',
    guests: ['guest:G-3'],
    arrived: true,
  });
  const exported = await host.admin('GET', `${pool}/export?waiverId=${id}`);
  expect(exported.body.waivers[0].arrivals).toEqual([
    { day: '2027-06-12', arrivedAt: expect.any(String) },
    { day: '2027-06-12', arrivedAt: expect.any(String) },
  ]);
  const erasure = await host.admin('POST', `${pool}/erasures`, { waiverId: id });
  await until(async () => {
    const { body: state } = await host.admin('GET', `${pool}/erasures/${textAt(erasure.body, 'id')}`);
    return state.state === 'done' ? true : undefined;
  }, 'an erasure');
  // The stored booking went with the guest.
  await app('GET', '/v1/pools/rafting/bookings/BK-1001');
  expect((await bookingNow()).guests[2]).toMatchObject({ state: 'missing', arrival: null });
});
