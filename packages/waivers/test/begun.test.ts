import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DraftResult,
  draftEnd,
  draftFollowing,
  draftPage,
  draftUpdate,
  draftVoid,
  isSameBooking,
  planChange,
  planCreation,
  planErasure,
  type WaiverPlan,
  type WaiverRecord,
} from '../src/index.ts';
import { waiverRecord } from './waiver-record.ts';

const now = new Date('2026-05-01T12:00:00Z');
const installation = { permissionVersion: 1, bookingSystem: 'standard', properties: [] };
const recipients = {
  installations: [
    { ...installation, destination: 'by guest', guestId: 'booking-guest-id' as const },
    { ...installation, destination: 'by waiver', guestId: 'waiver-id' as const },
  ],
  webhooks: [{ destination: 'hook', permissionVersion: 3, properties: [] }],
};

function plan(result: DraftResult): WaiverPlan {
  if ('refusal' in result) throw new Error(result.refusal);
  const { former, changed } = result.draft;
  const staysInBooking = isSameBooking(former, changed);
  return planChange(result.draft, { now, recipients, sessions: [], staysInBooking });
}

const sent = ({ messages }: WaiverPlan, kind: string) => messages.filter((each) => each.kind === kind);
const deletedOf = (each: WaiverPlan) =>
  sent(each, 'guest-update').map(({ body, bookingId }) => [bookingId, JSON.parse(body).waiver.deleted]);

const begin = (given: object = {}) =>
  planCreation(
    { id: 'w1', pool: 'p1', bookingSystem: 'standard', bookingId: 'b1', currentPage: 'first', ...given },
    { now, recipients, sessions: [], isBegun: true },
  );

const page = (former: WaiverRecord) => plan(draftPage(former, { currentPage: 'second' }));
const change = fc.constantFrom<(former: WaiverRecord) => WaiverPlan>(
  page,
  (former) => plan(draftUpdate(former, { answers: { name: 'Ann' } })),
  (former) => plan(draftUpdate(former, { bookingGuestId: 'g2' })),
  (former) => plan(draftUpdate(former, { bookingId: 'b2' })),
  (former) => plan(draftUpdate(former, { bookingId: null, bookingSystem: null })),
  (former) => plan(draftUpdate(former, { bookingId: 'b1', bookingSystem: 'standard' })),
  (former) =>
    plan({ draft: draftFollowing(former, { id: 'w1', bookingGuestId: 'g3', needsSessions: true }) }),
);

test('booking systems hear nothing of what a guest has begun, however it changes and ends; webhooks all of it', () => {
  fc.assert(
    fc.property(fc.array(change), fc.constantFrom(draftVoid, draftEnd), (changes, end) => {
      const plans: WaiverPlan[] = [begin({ bookingGuestId: 'g1' })];
      for (const each of changes) plans.push(each(plans.at(-1)?.next ?? waiverRecord()));
      plans.push(plan(end(plans.at(-1)?.next ?? waiverRecord())));
      for (const each of plans) {
        expect(sent(each, 'guest-update')).toEqual([]);
        expect(sent(each, 'guest-webhook')).toHaveLength(1);
      }
    }),
  );
});

test('the first Guest Update is that of the signature, wherever it was begun, and takes nothing back', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const begun = changes.reduce((former, each) => each(former).next, begin().next);
      const signed = plan(
        draftUpdate(begun, { currentPage: null, bookingSystem: 'standard', bookingId: 'b3' }),
      );
      expect(deletedOf(signed)).toEqual([
        ['b3', false],
        ['b3', false],
      ]);
      const step = plan(draftUpdate(signed.next, { currentPage: 'later' }));
      expect(deletedOf(step)).toHaveLength(2);
      expect(step.next.begun).toBeNull();
    }),
  );
});

test('a step that an app stores is sent', () => {
  const created = planCreation(
    { id: 'w1', pool: 'p1', bookingSystem: 'standard', bookingId: 'b1', currentPage: 'first' },
    { now, recipients, sessions: [] },
  );
  expect(deletedOf(created)).toHaveLength(2);
  expect(deletedOf(plan(draftUpdate(created.next, { currentPage: 'second' })))).toHaveLength(2);
});

test('what an earlier version has told is taken back once: when it ends, or from the booking that it leaves', () => {
  const former = waiverRecord({ currentPage: 'first' });
  const told = page(former);
  expect(told.next.begun).toBe('told');
  expect(deletedOf(told)).toEqual([]);
  expect(deletedOf(plan(draftEnd(told.next)))).toEqual([
    ['b1', true],
    ['b1', true],
  ]);
  const moved = plan(draftUpdate(told.next, { bookingId: 'b2' }));
  expect(deletedOf(moved)).toEqual([
    ['b1', true],
    ['b1', true],
  ]);
  expect(deletedOf(plan(draftEnd(moved.next)))).toEqual([]);
});

test('what was signed or finished meanwhile is not begun again, and does not end', () => {
  const finished = plan(draftUpdate(begin().next, { currentPage: null })).next;
  expect(draftPage(finished, { currentPage: 'second' })).toEqual({ refusal: 'voided', former: finished });
  expect(draftEnd(finished)).toEqual({ refusal: 'voided', former: finished });
});

test('an erasure tells booking systems only what they were told', () => {
  const { next } = begin();
  expect(deletedOf(planErasure(next, { now, recipients }))).toEqual([]);
  expect(deletedOf(planErasure({ ...next, begun: 'told' }, { now, recipients }))).toHaveLength(2);
});
