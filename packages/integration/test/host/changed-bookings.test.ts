import type { SimulatedBooking } from '@waiver-service/simulator';
import { problem, startSystemFor, startTestHost, until } from '@waiver-service/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';

const system = await startSystemFor('standard', { apiKey: 'partner-key' });
const host = await startTestHost();
afterAll(() => Promise.all([host.close(), system.close()]));
await host.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: system.url });
const { installKey: key } = await host.preparePool('river');
await system.install({ baseUrl: host.url, installName: 'standard', key, pool: 'river', accountId: 1 });

let number = 0;
let booking: SimulatedBooking;

const hour = 3_600_000;
const sessionIn = (hours: number) => ({
  startsAt: new Date(Math.floor(Date.now() / hour) * hour + hours * hour).toISOString(),
  endsAt: new Date(Math.floor(Date.now() / hour) * hour + (hours + 2) * hour).toISOString(),
  activityId: 'raft',
  activityName: 'Rafting',
});

/** A booking of Ann and Bo tomorrow, for which both have signed. */
beforeEach(async () => {
  number += 1;
  booking = {
    id: `BK-${number}`,
    status: 'Active',
    contact: { name: 'Ann' },
    pax: 2,
    guests: [
      { id: 'G-1', name: 'Ann', email: 'ann@example.com' },
      { id: 'G-2', name: 'Bo' },
    ],
    bookedSessions: [sessionIn(24)],
  };
  system.bookings.add(booking);
  await host.call('GET', `/v1/pools/river/bookings/${booking.id}`);
  await sign('ann', 'G-1', 'Ann');
  await sign('bo', 'G-2', 'Bo');
});

const waiverPath = (name: string) => `/v1/pools/river/waivers/${name}-${number}`;
const unmatchedPath = '/v1/admin/pools/river/unmatched-waivers';

async function sign(name: string, bookingGuestId: string, given: string) {
  const body = { id: `${name}-${number}`, bookingId: booking.id, bookingGuestId, answers: { name: given } };
  expect(await host.call('POST', '/v1/pools/river/waivers', body)).toMatchObject({ status: 201 });
  await until(() => updatesOf(name).length === 1, 'the first Guest Update');
}

const updatesOf = (name: string) =>
  system.received
    .filter(({ method, path }) => method === 'POST' && path.includes(`/${booking.id}/`))
    .map(({ path, body }) => ({ path, waiver: JSON.parse(body.toString()).waiver }))
    .filter(({ waiver }) => waiver.id === `${name}-${number}`);

async function change(changed: Partial<SimulatedBooking>) {
  booking = { ...booking, ...changed };
  system.bookings.replace(booking);
  await system.announce(booking.id);
}

async function unmatched() {
  const { body } = await host.call('GET', unmatchedPath);
  return (body as { items: { waiverId: string; reason: string }[] }).items.filter(({ waiverId }) =>
    waiverId.endsWith(`-${number}`),
  );
}

test('an operator attaches a waiver with an ambiguous guest, and nothing goes to the removed guest', async () => {
  await change({
    guests: [
      { id: 'N-1', name: 'Ann' },
      { id: 'N-2', name: 'Ann' },
      { id: 'G-2', name: 'Bo' },
    ],
  });
  const [listed] = await until(async () => {
    const items = await unmatched();
    return items.length > 0 && items;
  }, 'the waiver to be listed');
  expect(listed).toMatchObject({
    waiverId: `ann-${number}`,
    name: 'Ann',
    bookingId: booking.id,
    bookingGuestId: 'G-1',
    reason: 'guest_gone',
    proposals: [
      { bookingGuestId: 'N-1', name: 'Ann' },
      { bookingGuestId: 'N-2', name: 'Ann' },
    ],
  });
  const attach = `${unmatchedPath}/ann-${number}/attach`;
  expect(await host.call('POST', attach, { bookingGuestId: 7 })).toMatchObject({ status: 400 });
  expect(await host.call('POST', attach, { bookingGuestId: 'N-2' })).toMatchObject({
    status: 200,
    body: { bookingGuestId: 'N-2', bookingId: booking.id },
  });
  await until(() => updatesOf('ann').length === 2, 'the Guest Update to the guest');
  expect(updatesOf('ann').map(({ path, waiver }) => [path.split('?')[0], waiver.deleted])).toEqual([
    [`/bookings/${booking.id}/guests/G-1`, false],
    [`/bookings/${booking.id}/guests/N-2`, false],
  ]);
  expect(await unmatched()).toEqual([]);
  expect(await host.call('POST', attach, { bookingGuestId: 'N-1' })).toMatchObject(
    problem(404, 'unmatched_waiver_not_found'),
  );
});

test('waivers of a booking that is gone are listed, and can be left as they are', async () => {
  system.bookings.remove(booking.id);
  await system.announce(booking.id);
  await until(async () => (await unmatched()).length === 2, 'the waivers to be listed');
  expect(await unmatched()).toMatchObject([{ reason: 'booking_gone' }, { reason: 'booking_gone' }]);
  expect(await host.call('DELETE', `${unmatchedPath}/bo-${number}`)).toMatchObject({ status: 204 });
  expect(await host.call('DELETE', `${unmatchedPath}/bo-${number}`)).toMatchObject({ status: 404 });
  expect((await unmatched()).map(({ waiverId }) => waiverId)).toEqual([`ann-${number}`]);
  expect((await host.call('GET', waiverPath('bo'))).body).toMatchObject({ deleted: false, version: 1 });

  const other = { ...booking, id: `other-${number}`, guests: [{ id: 'X-1', name: 'Ann' }] };
  system.bookings.add(other);
  const moved = { bookingId: other.id, bookingGuestId: 'X-1' };
  expect(await host.call('POST', `${unmatchedPath}/ann-${number}/attach`, moved)).toMatchObject({
    status: 200,
  });
  await until(
    () => system.received.some(({ path }) => path.startsWith(`/bookings/${other.id}/guests/X-1`)),
    'the Guest Update to the other booking',
  );
  expect(updatesOf('ann').length).toBe(1);
  system.bookings.add(booking);
});

test('an address that an agency made up is not pre-filled, and said to be one', async () => {
  await change({
    guests: [
      { id: 'G-1', name: 'Ann', email: 'customer-1@reply.getyourguide.com' },
      { id: 'G-2', name: 'Bo', email: 'bo@example.com' },
    ],
  });
  const { body } = await host.call('GET', `/v1/pools/river/bookings/${booking.id}`);
  expect(body).toMatchObject({
    guests: [{ prefill: { name: 'Ann' } }, { prefill: { name: 'Bo', email: 'bo@example.com' } }],
    warnings: [{ code: 'masked_email', path: 'guests[0].email' }],
  });
  expect(JSON.stringify((body as { guests: unknown }).guests)).not.toContain('getyourguide');
});
