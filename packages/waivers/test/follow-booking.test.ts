import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BookingGuest,
  type FollowingWaiver,
  followBooking,
  isMaskedEmail,
  maxFollowed,
  proposeGuests,
} from '../src/index.ts';
import { waiverRecord } from './waiver-record.ts';

const session = { startsAt: '2026-06-01T10:00:00Z', activityId: 'raft' };
const later = { startsAt: '2026-06-03T15:30:00Z', activityId: 'climb' };

const waiver = (given: Partial<FollowingWaiver> = {}): FollowingWaiver => {
  const { id, bookingGuestId, activities, lastVisit, lastVisitSource, createdAt } = waiverRecord();
  return {
    ...{ id, bookingGuestId, activities, lastVisit, lastVisitSource, createdAt },
    ...{ name: 'Ann', email: 'ann@example.com', followed: 0 },
    ...given,
  };
};

/** The guest ids after following, and the unmatched. */
function matched(waivers: readonly FollowingWaiver[], guests: readonly BookingGuest[]) {
  const { changes, unmatched } = followBooking(waivers, { sessions: [], guests });
  return {
    moved: Object.fromEntries(changes.map(({ id, bookingGuestId }) => [id, bookingGuestId])),
    unmatched,
  };
}

test('the last visit follows the sessions, unless the caller had set it', () => {
  const changed = (given: Partial<FollowingWaiver>, sessions: (typeof session)[]) =>
    followBooking([waiver(given)], { sessions, guests: [] }).changes.length === 1;
  const known = { lastVisitSource: 'session', lastVisit: new Date(session.startsAt) } as const;
  expect(changed({}, [session])).toBe(true);
  expect(changed(known, [later])).toBe(true);
  expect(changed(known, [session, later])).toBe(false);
  expect(changed({ ...known, activities: ['climb'] }, [session, later])).toBe(true);
  expect(changed({ lastVisitSource: 'given' }, [session])).toBe(false);
  // A cancelled booking may have no sessions left.
  expect(changed(known, [])).toBe(false);
});

test('a booking that changes at every read does not change its waivers for ever', () => {
  const guests = [{ id: '11', name: 'Ann' }];
  const booking = { sessions: [session], guests };
  expect(followBooking([waiver({ followed: maxFollowed - 1 })], booking)).toMatchObject({
    changes: [{ bookingGuestId: '11', needsSessions: true }],
    unmatched: [],
    isPostponed: false,
  });
  const tired = waiver({ followed: maxFollowed });
  expect(followBooking([tired], booking)).toEqual({
    changes: [],
    unmatched: [tired.id],
    isPostponed: true,
  });
  // Its guest is still there: it needs no review.
  expect(followBooking([tired], { sessions: [], guests: [{ id: 'g1' }] })).toEqual({
    changes: [],
    unmatched: [],
    isPostponed: false,
  });
  const other = waiver({ id: 'w2', bookingGuestId: 'g2', name: 'Bo', email: null });
  const both = { ...booking, guests: [...guests, { id: '12', name: 'Bo' }] };
  expect(followBooking([tired, other], both)).toMatchObject({
    changes: [{ id: 'w2' }],
    unmatched: [tired.id],
  });
});

test('a waiver stays with its guest as long as the booking has that id, whatever the guest is called', () => {
  expect(matched([waiver()], [{ id: 'g1', name: 'Anna Berg' }])).toEqual({ moved: {}, unmatched: [] });
});

test('renumbered guests are found by name and e-mail', () => {
  const bo = waiver({ id: 'w2', bookingGuestId: 'g2', name: 'Bo', email: null });
  const guests = [
    { id: '12', name: ' BO ' },
    { id: '11', name: 'ann', email: 'Ann@Example.com' },
    { id: '13', name: 'Cy' },
  ];
  expect(matched([waiver(), bo], guests)).toEqual({ moved: { w1: '11', w2: '12' }, unmatched: [] });
});

test('names are compared by their letters, not by how these are encoded', () => {
  const zoe = waiver({ name: 'Zoe\u0308', email: null });
  expect(matched([zoe], [{ id: '11', name: 'ZO\u00cb' }]).moved).toEqual({ w1: '11' });
});

test('a waiver that could be of two guests, or a guest of two waivers, is left to a person', () => {
  const twins = [
    { id: '11', name: 'Ann' },
    { id: '12', name: 'Ann' },
  ];
  expect(matched([waiver()], twins)).toEqual({ moved: {}, unmatched: ['w1'] });
  const both = [waiver(), waiver({ id: 'w2', bookingGuestId: 'g2' })];
  expect(matched(both, [{ id: '11', name: 'Ann' }])).toEqual({ moved: {}, unmatched: ['w1', 'w2'] });
  expect(matched([waiver({ name: null })], [{ id: '11' }]).unmatched).toEqual(['w1']);
});

test('e-mail addresses tell guests of the same name apart, those of agencies do not', () => {
  const father = { id: '11', name: 'Ann', email: 'old@example.com' };
  const daughter = { id: '12', name: 'Ann', email: 'ann@example.com' };
  expect(matched([waiver()], [father, daughter]).moved).toEqual({ w1: '12' });
  expect(matched([waiver()], [father]).unmatched).toEqual(['w1']);
  expect(matched([waiver()], [{ ...father, email: '123@guest.booking.com' }]).moved).toEqual({ w1: '11' });
});

test('a guest who has a waiver is no candidate, and a booking without guest ids changes nothing', () => {
  const taken = waiver({ id: 'w2', bookingGuestId: '11' });
  expect(matched([waiver(), taken], [{ id: '11', name: 'Ann' }]).unmatched).toEqual(['w1']);
  expect(matched([waiver()], [{ name: 'Ann' }])).toEqual({ moved: {}, unmatched: [] });
  expect(matched([waiver({ bookingGuestId: null })], [{ id: '11', name: 'Ann' }])).toEqual({
    moved: {},
    unmatched: [],
  });
});

test('whatever a booking becomes, no guest gets two waivers and following twice changes nothing more', () => {
  const name = fc.constantFrom('Ann', 'Bo', '', null);
  const email = fc.constantFrom('a@example.com', 'b@example.com', '1@guest.booking.com', null);
  const ids = fc.constantFrom('1', '2', '3', '4', null);
  const waivers = fc
    .array(fc.record({ bookingGuestId: ids, name, email }), { maxLength: 5 })
    .map((all) => all.map((given, index) => waiver({ ...given, id: `w${index}` })));
  const guest = fc
    .record({ id: fc.constantFrom('3', '4', '5', '6'), name, email })
    .map(({ id, name, email }) => ({ id, name: name ?? undefined, email: email ?? undefined }));
  const guests = fc.uniqueArray(guest, { selector: ({ id }) => id });
  fc.assert(
    fc.property(waivers, guests, (before, now) => {
      const { changes, unmatched } = followBooking(before, { sessions: [], guests: now });
      const idOf = new Map(changes.map(({ id, bookingGuestId }) => [id, bookingGuestId]));
      const after = before.map((each) => ({
        ...each,
        bookingGuestId: idOf.get(each.id) ?? each.bookingGuestId,
      }));
      const given = changes.map(({ bookingGuestId }) => bookingGuestId);
      expect(new Set(given).size).toBe(given.length);
      for (const id of given) expect(before.map(({ bookingGuestId }) => bookingGuestId)).not.toContain(id);
      const again = followBooking(after, { sessions: [], guests: now });
      expect(again.changes).toEqual([]);
      expect(again.unmatched).toEqual(unmatched);
    }),
  );
});

test('proposals begin with the guest of the same name, then of the same address', () => {
  const guests = [
    { id: '1', name: 'Cy' },
    { id: '2', name: 'Bo', email: 'ANN@example.com' },
    { id: '3', name: 'ann' },
  ];
  expect(proposeGuests(waiver(), guests).map(({ id }) => id)).toEqual(['3', '2', '1']);
});

test.each([
  ['2001-qu9v@guest.booking.com', true],
  ['customer-abc@reply.GetYourGuide.com', true],
  ['S-9f6f+14@expmessaging.tripadvisor.com ', true],
  ['ann@booking.com', false],
  ['guest.booking.com@example.com', false],
  ['ann@notguest.booking.com', false],
  ['', false],
])('%j is masked: %s', (email, masked) => {
  expect(isMaskedEmail(email)).toBe(masked);
});
