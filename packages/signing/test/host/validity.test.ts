import { prepareCheckIn, problem, textAt } from '@waiver-service/testing';
import { afterAll, expect, it } from 'vitest';
import { startSigningHost } from '../setup/signing-host.ts';

// The form of the pool is valid for the visit.
const checkIn = await prepareCheckIn(startSigningHost());
afterAll(() => checkIn.close());
const signings = '/check-in/api/signings';
const booking = '/v1/pools/rafting/bookings/BK-1001';

/** Moves all sessions of the booking to a day. */
function move(date: string) {
  const moved = checkIn.system.bookings.all.find(({ id }) => id === 'BK-1001');
  if (moved === undefined) throw new Error('there is no BK-1001');
  const bookedSessions = moved.bookedSessions.map((session) => ({
    ...session,
    startsAt: `${date}${session.startsAt.slice(10)}`,
  }));
  checkIn.system.bookings.replace({ ...moved, bookedSessions });
}

it('a waiver that was signed for an earlier day is missing everywhere, and is signed again', async () => {
  const guest = await checkIn.guest({ bookingId: 'BK-1001' });
  await guest('GET', '/check-in/api/session');
  const sign = () => guest('POST', signings, checkIn.signing(['1990-02-28'], { bookingGuestIds: ['G-1'] }));
  const first = await sign();
  const id = textAt(first.body, 'waivers', 0, 'id');
  const { body: record } = await checkIn.app('GET', `/v1/pools/rafting/waivers/${id}`);
  expect(record).toMatchObject({ validUntil: '2027-06-12', version: 1 });
  expect((await checkIn.app('GET', booking)).body.guests[0]).toMatchObject({ waiverId: id, signed: true });
  expect(await sign()).toMatchObject(problem(409, 'already_signed'));

  move('2027-06-20');
  const read = await checkIn.app('GET', booking);
  expect(read.body.guests[0]).toMatchObject({ bookingGuestId: 'G-1', signed: false });
  expect(read.body.guests[0]).not.toHaveProperty('waiverId');
  expect(read.body.waivers).toMatchObject({
    signed: 0,
    missing: expect.arrayContaining([{ bookingGuestId: 'G-1', name: 'Zoë Bäcker' }]),
  });
  expect((await guest('GET', '/check-in/api/session')).body).toMatchObject({
    booking: { signed: 0 },
    guests: expect.arrayContaining([expect.objectContaining({ bookingGuestId: 'G-1', signed: false })]),
  });

  const again = await sign();
  expect(again.status).toBe(201);
  const { body } = await checkIn.app('GET', booking);
  expect(body.waivers.signed).toBe(1);
  expect(body.guests[0]).toMatchObject({ waiverId: textAt(again.body, 'waivers', 0, 'id'), signed: true });
});

it('a correction keeps it, and a page that is under way has none', async () => {
  const guest = await checkIn.guest({ desk: true });
  const signing = checkIn.signing(['1990-02-28']);
  const waiver = `/v1/pools/rafting/waivers/${signing.id}-1`;
  const { language, guests, signer, form, version } = signing;
  const page = checkIn.form.content.pages[0]?.id;
  await guest('PUT', `${signings}/${signing.id}/page`, { form, version, language, guests, signer, page });
  expect((await checkIn.app('GET', waiver)).body).toMatchObject({ currentPage: page, validUntil: null });
  await guest('POST', signings, signing);
  const signed = await checkIn.app('GET', waiver);
  expect(signed.body).toMatchObject({
    currentPage: null,
    validUntil: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  });
  const corrected = await checkIn.app('PATCH', waiver, { answers: { name: 'Zoe Becker' } });
  expect(corrected.body).toMatchObject({ version: 3, validUntil: textAt(signed.body, 'validUntil') });
  expect(await checkIn.app('PATCH', waiver, { validUntil: '2099-01-01' })).toMatchObject({ status: 400 });
});
