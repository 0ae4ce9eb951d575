import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Draft, type DraftPerson, isTaken, signerAsGuest, withPerson } from '../src/draft/draft.ts';

import {
  asBookedGuest,
  newDraft,
  withAnotherChild,
  withoutChild,
  withSigningFor,
} from '../src/draft/people.ts';

import { toSigning } from '../src/draft/to-signing.ts';
import type { CheckInSession } from '../src/host/calls.ts';
import { exampleContent, sessionOf } from './drafts.ts';

const content = exampleContent('rafting');
const guests = ['G-1', 'G-2'].map((bookingGuestId) => ({
  bookingGuestId,
  label: bookingGuestId,
  signed: false,
}));
const session: CheckInSession = { ...sessionOf(content), guests };
const empty = newDraft(session, ['en'], new Date());

/** Sets which guest of the booking someone is, if the page offers it: it does not if someone else is that guest. */
function choose(draft: Draft, person: DraftPerson | undefined, bookingGuestId: string | null): Draft {
  if (person === undefined) return draft;
  const guest = guests.find((one) => one.bookingGuestId === bookingGuestId) ?? null;
  if (guest !== null && isTaken(draft, person, guest.bookingGuestId)) return draft;
  return withPerson(draft, person.key, (one) => asBookedGuest(one, guest, content));
}

const bookingGuestsOf = (draft: Draft) =>
  toSigning(draft, draft.form, session.day, new Date()).guests.map(({ bookingGuestId }) => bookingGuestId);

test('a signer whose guest of the booking was chosen for a child meanwhile is asked again', () => {
  const asMax = choose(empty, empty.self, 'G-2');
  const ofChild = withSigningFor(asMax, 'children');
  const child = choose(ofChild, ofChild.children[0], 'G-2');
  const both = withSigningFor(child, 'both');
  expect(signerAsGuest(both).bookingGuestId).toBeUndefined();
  expect(bookingGuestsOf(both)).toEqual([undefined, 'G-2']);
  // The choice for the child can be kept or taken back, and the signer alone is who they said.
  expect(isTaken(both, both.self, 'G-2')).toBe(true);
  expect(isTaken(both, child.children[0] ?? both.self, 'G-2')).toBe(false);
  expect(bookingGuestsOf(choose(both, both.children[0], null))).toEqual(['G-2', undefined]);
  expect(bookingGuestsOf(withSigningFor(both, 'self'))).toEqual(['G-2']);
});

test('a signer and a child who are both none of the booking’s guests are not asked again', () => {
  const both = withSigningFor(choose(empty, empty.self, null), 'both');
  expect(signerAsGuest(choose(both, both.children[0], null)).bookingGuestId).toBeNull();
});

test('no sequence of changes leaves two people of one signing with the same guest of the booking', () => {
  const guest = fc.constantFrom(null, ...guests.map(({ bookingGuestId }) => bookingGuestId));
  const change: fc.Arbitrary<(draft: Draft) => Draft> = fc.oneof(
    fc.constantFrom('self', 'both', 'children').map((one) => (draft: Draft) => withSigningFor(draft, one)),
    // The page asks signers who take part, and children who come.
    guest.map(
      (one) => (draft: Draft) => (draft.signingFor === 'children' ? draft : choose(draft, draft.self, one)),
    ),
    fc.tuple(fc.nat({ max: 1 }), guest).map(
      ([index, one]) =>
        (draft: Draft) =>
          draft.signingFor === 'self' ? draft : choose(draft, draft.children[index], one),
    ),
    fc.constant(withAnotherChild),
    fc
      .nat({ max: 1 })
      .map((index) => (draft: Draft) => withoutChild(draft, draft.children[index]?.key ?? '')),
  );
  fc.assert(
    fc.property(fc.array(change, { minLength: 10, maxLength: 20 }), (changes) => {
      const ids = bookingGuestsOf(changes.reduce((draft, one) => one(draft), empty)).filter(Boolean);
      expect(ids).toEqual([...new Set(ids)]);
    }),
    // Four changes in one order lead to it: few sequences have them.
    { numRuns: 1_000 },
  );
});
