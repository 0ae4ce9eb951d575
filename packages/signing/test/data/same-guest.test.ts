import { untilBlocked } from '@waiver-service/database/testing';
import type { BookingWaiver } from '@waiver-service/store';
import { fetchedBooking } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { signedWaiverId } from '../../src/data/signing-waivers.ts';
import type { NewSigning } from '../../src/data/store-signing.ts';
import { newSigning, publishForm } from '../../src/testing/data.ts';
import { openOutbox } from '../setup/open-test-store.ts';

class HasSigned extends Error {}

async function open() {
  const opened = await openOutbox();
  return { ...opened, form: await publishForm(opened.store) };
}

/** A signing of a guest that is refused if anyone has signed for them. */
function signingOf(form: string, bookingGuestId: string, bookingId = 'b1'): NewSigning {
  const signing = newSigning(form, [{ name: 'Ann', bookingGuestId }]);
  return {
    ...signing,
    waivers: signing.waivers.map((waiver) => ({ ...waiver, bookingId })),
    requireNotSigned(waivers: readonly BookingWaiver[]) {
      if (waivers.some((waiver) => waiver.bookingGuestId === bookingGuestId)) throw new HasSigned();
    },
  };
}

const outcomeOf = (result: PromiseSettledResult<{ readonly outcome: string }>) =>
  result.status === 'fulfilled' ? result.value.outcome : result.reason.constructor.name;

test('of four signings for one guest, under several ids of the booking, one is stored', async () => {
  const { store, form, query } = await open();
  await query(`
insert into booking_alias (pool, booking_system, alias, booking_id, prune_at)
values ('p1', 'standard', 'alias 1', 'b1', now() + interval '1 day'), ('p1', 'standard', 'alias 2', 'b1', now() + interval '1 day')`);
  for (let round = 0; round < 10; round += 1) {
    const ids = ['b1', 'alias 1', 'alias 2', 'b1'];
    const results = await Promise.allSettled(
      ids.map((id) => store.signings.store(signingOf(form, `g${round}`, id))),
    );
    expect(results.map(outcomeOf).toSorted()).toEqual(['HasSigned', 'HasSigned', 'HasSigned', 'signed']);
  }
});

test('a guest of a booking does not wait for another one', async () => {
  const { store, form, url } = await open();
  const blocking = new Client({ connectionString: url });
  await blocking.connect();
  await blocking.query('begin');
  await blocking.query(
    `select pg_advisory_xact_lock(hashtextextended(json_build_array('guest', 'p1', 'standard', 'b1', 'g1')::text, 0))`,
  );
  const waiting = store.signings.store(signingOf(form, 'g1'));
  expect((await store.signings.store(signingOf(form, 'g2'))).outcome).toBe('signed');
  expect(
    (await store.waivers.forBooking({ pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' })).length,
  ).toBe(1);
  await blocking.query('commit');
  await blocking.end();
  expect((await waiting).outcome).toBe('signed');
});

test('a waiver that staff attach to a guest and that guest’s signing are not both stored', async () => {
  const { store, form } = await open();
  const booking = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
  for (let round = 0; round < 10; round += 1) {
    const bookingGuestId = `g${round}`;
    const made = await store.waivers.create({ pool: 'p1', id: `walk-in ${round}` });
    expect(made.outcome).toBe('created');
    const results = await Promise.allSettled([
      store.waivers.attach({
        booking,
        activities: [],
        waivers: [{ id: `walk-in ${round}`, bookingGuestId }],
        by: undefined,
        refuse: (waivers) => waivers.some((waiver) => waiver.bookingGuestId === bookingGuestId) || undefined,
      }),
      store.signings.store(signingOf(form, bookingGuestId)),
    ]);
    expect(results.map(outcomeOf).toSorted()).toEqual(
      outcomeOf(results[0]) === 'attached' ? ['HasSigned', 'attached'] : ['refused', 'signed'],
    );
  }
});

test.each([1, 2])('a guest who signs while the booking moves has the new visit (%i)', async (order) => {
  const { store, form, query, url } = await open();
  const booking = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
  const moved = fetchedBooking({
    bookedSessions: [{ startsAt: '2026-05-01T14:00:00Z', activityId: 'raft', activityName: 'Rafting' }],
  });
  await store.bookings.save({ ...booking, fetched: fetchedBooking() });
  // So that the day has a row, which the next signing waits for last.
  await store.signings.store(signingOf(form, 'g1'));
  const blocking = new Client({ connectionString: url });
  await blocking.connect();
  await blocking.query('begin');
  const signing = signingOf(form, 'g2');
  const toDo = [
    () => store.signings.store(signing),
    () => store.bookings.save({ ...booking, fetched: moved }),
  ];
  await blocking.query(
    order === 1 ? 'select from guest_budget for update' : 'select from cached_booking for share',
  );
  const [first, second] = order === 1 ? toDo : toDo.toReversed();
  const doing = [first?.()];
  await untilBlocked(query);
  doing.push(second?.());
  // Until it is done, or waits for the first.
  await Promise.race([doing[1], untilBlocked(query, 2)]);
  await blocking.query('commit');
  await blocking.end();
  await Promise.all(doing);
  expect(await store.waivers.get('p1', signedWaiverId(signing.id, 0))).toMatchObject({
    lastVisit: new Date('2026-05-01T14:00:00Z'),
  });
});
