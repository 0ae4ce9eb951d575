import type { PlannedInvitation } from '@waiver-service/invitations/data';
import { fetchedBooking, waiver } from '@waiver-service/store/testing';
import { expect, test } from 'vitest';
import { openOutbox, type TestedStore } from '../setup/open-outbox.ts';

const key = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
const recipient = (email: string) => ({ email, guests: 1 });
const plan = {
  ...key,
  occasion: 'evening-before',
  day: '2027-06-12',
  fetchedAt: null,
  retryAt: null,
  problem: null,
} as const;

const outcomes = (planned: readonly PlannedInvitation[]) => planned.map(({ outcome }) => outcome);

const invite = async (
  store: TestedStore,
  emails: readonly string[],
  change: Partial<typeof plan> | object = {},
) =>
  outcomes(
    await store.invitations.plan(
      { ...plan, ...change },
      { recipients: emails.map(recipient), createdBy: 'invitations' },
    ),
  );

test('who is erased gets nothing more for their bookings, also when these are read again', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  const guests = [
    { id: 'g1', name: 'Ann', email: 'ann@example.com' },
    { id: 'g2', name: 'Bob', email: 'bob@example.com' },
  ];
  const fetched = fetchedBooking({ guests });
  await store.bookings.save({ ...key, fetched });
  await store.bookings.save({ ...key, bookingId: 'b2', fetched });
  await invite(store, ['ann@example.com', 'bob@example.com']);
  await store.invitations.addRefusal({
    pool: 'p1',
    id: store.invitations.addressId('p1', 'ann@example.com'),
    email: 'ann@example.com',
    reason: 'unsubscribed',
    reply: null,
  });
  await store.guests.erasures.request('p1', { email: 'Ann@example.com' }, 'admin-token');
  const left = await store.invitations.list('p1', { limit: 10 });
  expect(left.items.map(({ email }) => email)).toEqual(['bob@example.com']);
  for (const bookingId of ['b1', 'b2']) {
    const erased = await store.invitations.erasedOf({ ...key, bookingId });
    expect(guests.map((guest) => erased.isErased(guest))).toEqual([true, false]);
    expect(await invite(store, ['ann@example.com'], { bookingId, occasion: 'morning-of' })).toEqual([
      'erased',
    ]);
  }
  // Not in the bookings of later years; the wish to get nothing stays, without an address.
  expect(
    (await store.invitations.erasedOf({ ...key, bookingId: 'b9' })).isErased({ email: 'ann@example.com' }),
  ).toBe(false);
  expect(await query('select address_encrypted, reason from invitation_refusal')).toEqual([
    { address_encrypted: null, reason: 'unsubscribed' },
  ]);
  expect(await store.guests.exportMessages('p1', { email: 'ann@example.com' })).toMatchObject({
    invitations: { sent: [] },
  });
});

test('whose record is erased is blocked as a guest of the booking, whatever address the booking has', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(
    waiver({ id: 'w1', bookingGuestId: 'g1', answers: { name: 'Ann', email: 'own@example.com' } }),
  );
  await invite(store, ['own@example.com']);
  expect(await store.guests.exportMessages('p1', { waiverId: 'w1' })).toMatchObject({
    invitations: { sent: [{ bookingId: 'b1' }] },
  });
  await store.guests.erasures.request('p1', { waiverId: 'w1' }, 'admin-token');
  await expect
    .poll(async () =>
      (await store.invitations.erasedOf(key)).isErased({ id: 'g1', email: 'booked@example.com' }),
    )
    .toBe(true);
  expect((await store.invitations.erasedOf(key)).isErased({ id: 'g2', email: 'booked@example.com' })).toBe(
    false,
  );
  expect((await store.invitations.list('p1', { limit: 10 })).items).toEqual([]);
});

test('whose record is erased is blocked at its booking by every address, also if no response of it is stored', async () => {
  const { store } = await openOutbox({ webhook: false });
  const answers = { name: 'Ann', email: 'first@example.com' };
  await store.waivers.create(waiver({ id: 'w1', bookingGuestId: null, answers }));
  await invite(store, ['first@example.com']);
  await store.waivers.update('p1', 'w1', { answers: { email: 'second@example.com' } });
  await store.guests.erasures.request('p1', { waiverId: 'w1' }, 'admin-token');
  for (const email of ['first@example.com', 'second@example.com']) {
    await expect
      .poll(async () => (await store.invitations.erasedOf(key)).isErased({ id: 'g9', email }))
      .toBe(true);
    expect(await invite(store, [email], { occasion: 'morning-of' })).toEqual(['erased']);
  }
  expect((await store.invitations.list('p1', { limit: 10 })).items).toEqual([]);
});
