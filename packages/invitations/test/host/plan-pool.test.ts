import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@waiver-service/database/testing';
import { longTest, seededRandom } from '@waiver-service/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Invitation } from '../../src/data/invitation.ts';
import { isPlanned, planPool } from '../../src/invitation-planning.ts';
import { fetchedOf, makeBookings, prepareInvitingPool, worldReader } from '../setup/invited-world.ts';
import { openOther } from '../setup/open-outbox.ts';

const due = { occasion: 'evening-before', day: '2027-06-12' } as const;
const read = new Date('2027-06-10T12:00:00Z');
const later = new Date('2027-06-10T12:00:01Z');
const now = new Date('2027-06-11T18:00:00Z');
const plan = { ...due, fetchedAt: read, retryAt: null };

describe('an occasion of a booking is planned again', () => {
  it.each([
    ['not by the same answer', { fetchedAt: read, plan }, true],
    ['not where no answer is stored any more', { fetchedAt: null, plan }, true],
    ['never planned before', { fetchedAt: read, plan: null }, false],
    ['by a newer answer, which may have new guests', { fetchedAt: later, plan }, false],
    [
      'after another occasion',
      { fetchedAt: read, plan: { ...plan, occasion: 'days-before' as const } },
      false,
    ],
    ['on another day', { fetchedAt: read, plan: { ...plan, day: '2027-06-11' } }, false],
    [
      'not before it is time to try again',
      { fetchedAt: read, plan: { ...plan, retryAt: new Date('2027-06-11T18:00:01Z') } },
      true,
    ],
    ['when it is time to try again', { fetchedAt: read, plan: { ...plan, retryAt: now } }, false],
  ])('%s', (_, booking, expected) => expect(isPlanned(booking, due, now)).toBe(expected));
});

longTest(
  'a pass over many bookings ends in quiet hours: they wait, and those that begin before the end are named',
  async () => {
    const database = await createTestDatabase();
    const store = await openOther(database.url, [{ id: 'test', key: randomBytes(32) }]);
    onTestFinished(async () => {
      await store.close();
      await database.drop();
    });
    await prepareInvitingPool(store, 'rafting');
    const night = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 5 * 3_600_000);
    // More than one pass plans.
    const bookings = makeBookings(400, night, seededRandom(3)).slice(0, 120);
    for (const [place, booking] of bookings.entries()) {
      booking.startsAt = new Date(night.getTime() + (place === 0 ? 1 : 12) * 3_600_000);
      await store.bookings.save({
        pool: 'rafting',
        bookingSystem: 'standard',
        bookingId: booking.id,
        fetched: fetchedOf(booking),
      });
    }
    const services = {
      store,
      bookingReader: worldReader(new Map(bookings.map((booking) => [booking.id, booking])), store),
    };
    const pass = (now: Date) => planPool(services, 'rafting', { now, signal: new AbortController().signal });
    expect(await pass(night)).toBe(false);
    expect((await store.invitations.list('rafting', { limit: 1 })).items).toEqual([]);
    expect(await store.invitations.listUninvited('rafting', 10)).toMatchObject([
      { bookingId: 'b0', problem: 'quiet-hours' },
    ]);
    const morning = new Date(night.getTime() + 3 * 3_600_000);
    expect([await pass(morning), await pass(morning), await pass(morning)]).toEqual([true, false, false]);
    const { items, next } = await store.invitations.list('rafting', { limit: 100 });
    expect(next).not.toBeNull();

    // Switched off at once, and on again.
    const [dropped, kept] = items;
    if (dropped === undefined || kept === undefined) throw new Error('too little is listed');
    await store.invitations.move(dropped, ['waiting'], { state: 'left-out', reason: 'switched-off' });
    const content = (await store.invitations.settings('rafting'))?.content ?? '';
    const statesOf = async ({ bookingId, email }: Invitation) =>
      (await store.invitations.list('rafting', { limit: 100, bookingId })).items
        .filter((item) => item.email === email)
        .map(({ state }) => state);
    await store.invitations.putSettings('rafting', { enabled: true, content });
    expect(await pass(morning)).toBe(false);
    expect(await statesOf(dropped)).toEqual(['left-out']);
    for (const enabled of [false, true]) await store.invitations.putSettings('rafting', { enabled, content });
    expect([await pass(morning), await pass(morning), await pass(morning)]).toEqual([true, false, false]);
    expect(await statesOf(dropped)).toEqual(['waiting', 'left-out']);
    expect(await statesOf(kept)).toEqual(['waiting']);
  },
);
