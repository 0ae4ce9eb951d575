import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Draft,
  type DraftResult,
  draftFollowing,
  draftUpdate,
  draftVoid,
  isSameBooking,
  type MissingReference,
  maxAnswersBytes,
  planChange,
  planCreation,
  planErasure,
  type Recipients,
  type WaiverChange,
  type WaiverPlan,
  type WaiverRecord,
} from '../src/index.ts';
import { waiverRecord } from './waiver-record.ts';

const now = new Date('2026-05-01T12:00:00Z');
const session = { startsAt: '2026-06-01T10:00:00Z', activityId: 'raft' };
const recipients: Recipients = {
  installations: [
    {
      destination: 'standard',
      permissionVersion: 1,
      bookingSystem: 'standard',
      guestId: 'booking-guest-id',
      properties: ['name'],
    },
    {
      destination: 'other',
      permissionVersion: 2,
      bookingSystem: 'other',
      guestId: 'waiver-id',
      properties: [],
    },
  ],
  webhooks: [{ destination: 'hook', permissionVersion: 3, properties: ['name'] }],
};
const context = { now, recipients, sessions: [], staysInBooking: true };

function draftOf(result: DraftResult): Draft {
  if ('draft' in result) return result.draft;
  throw new Error(result.refusal);
}

/** Plans an update; of a waiver that names another booking afterwards, too, as long as no alias is given. */
function update(
  former: WaiverRecord,
  change: WaiverChange,
  { sessions = [], aliases = [] }: { sessions?: (typeof session)[]; aliases?: readonly string[] } = {},
) {
  const draft = draftOf(draftUpdate(former, change));
  const staysInBooking =
    isSameBooking(draft.former, draft.changed) || aliases.includes(draft.changed.bookingId ?? '');
  return planChange(draft, { ...context, sessions, staysInBooking });
}

const sent = ({ messages }: WaiverPlan) =>
  messages.map(({ destination, version, takeback }) => `${destination} ${version}${takeback ? ' back' : ''}`);

test('a new waiver is version 1 and is sent to its booking system and every webhook', () => {
  const plan = planCreation({ id: 'w1', pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' }, context);
  expect(plan).toMatchObject({
    formerVersion: 0,
    next: { version: 1, deleted: false, createdAt: now, updatedAt: now, lastVisitSource: 'created' },
  });
  expect(plan.messages).toMatchObject([
    { destination: 'standard', permissionVersion: 1, kind: 'guest-update', bookingId: 'b1', waiverId: 'w1' },
    { destination: 'hook', permissionVersion: 3, kind: 'guest-webhook', bookingId: null, takeback: false },
  ]);
  expect(sent(planCreation({ id: 'w1', pool: 'p1' }, context))).toEqual(['hook 1']);
});

test('without a booking, the last visit is when it was signed, until it is attached', () => {
  const signedAt = new Date('2026-04-28T09:00:00Z');
  const created = planCreation({ id: 'w1', pool: 'p1' }, { ...context, signedAt }).next;
  expect(created).toMatchObject({ lastVisit: signedAt, lastVisitSource: 'created', createdAt: now });
  expect(update(created, { answers: { name: 'Ann' } }).next.lastVisit).toEqual(signedAt);
  const booking = { bookingSystem: 'standard', bookingId: 'b1' };
  expect(update(created, booking, { sessions: [session] }).next).toMatchObject({
    lastVisit: new Date(session.startsAt),
    lastVisitSource: 'session',
  });
  const unread = planCreation({ id: 'w1', pool: 'p1', ...booking }, { ...context, signedAt }).next;
  expect([unread.lastVisit, update(created, booking).next.lastVisit]).toEqual([now, now]);
});

test('a given last visit stays, whatever the sessions say, until it is removed', () => {
  const given = new Date('2026-07-01T00:00:00Z');
  const sessions = [session];
  const created = planCreation(
    { id: 'w1', pool: 'p1', bookingSystem: 'standard', bookingId: 'b1', lastVisit: given },
    { ...context, sessions },
  ).next;
  expect(created).toMatchObject({ lastVisit: given, lastVisitSource: 'given' });
  expect(update(created, { bookingId: 'b2', activities: ['raft'] }, { sessions }).next.lastVisit).toEqual(
    given,
  );
  expect(update(created, { lastVisit: null }, { sessions }).next).toMatchObject({
    lastVisit: new Date(session.startsAt),
    lastVisitSource: 'session',
  });
  expect(update(created, { lastVisit: null }).next).toMatchObject({
    lastVisit: created.createdAt,
    lastVisitSource: 'created',
  });
});

test('sessions are needed only where they can change the last visit', () => {
  const found = waiverRecord({ lastVisitSource: 'session', lastVisit: new Date(session.startsAt) });
  const needs = (former: WaiverRecord, change: WaiverChange) =>
    draftOf(draftUpdate(former, change)).needsSessions;
  expect(needs(found, { currentPage: 'two', bookingGuestId: 'g2', answers: { name: 'Bo' } })).toBe(false);
  expect(needs(found, { activities: ['raft'] })).toBe(true);
  expect(needs(found, { bookingId: 'b2' })).toBe(true);
  expect(needs(found, { bookingSystem: 'other' })).toBe(true);
  expect(needs(found, { lastVisit: null })).toBe(true);
  expect(needs(found, { lastVisit: now, bookingId: 'b2' })).toBe(false);
  expect(needs(waiverRecord(), { currentPage: 'two' })).toBe(true);
  expect(needs(waiverRecord({ lastVisitSource: 'given' }), { bookingId: 'b2' })).toBe(false);
});

test('a last visit found in a session survives the stored booking, but not a change of booking', () => {
  const lastVisit = new Date(session.startsAt);
  const found = waiverRecord({ lastVisitSource: 'session', lastVisit });
  expect(update(found, { activities: ['raft'] }).next).toMatchObject({
    lastVisit,
    lastVisitSource: 'session',
  });
  expect(update(found, { bookingId: 'b2' }).next).toMatchObject({
    lastVisit: found.createdAt,
    lastVisitSource: 'created',
  });
});

test('leaving a booking sends a takeback first, one millisecond earlier', () => {
  const former = waiverRecord({ version: 4 });
  const plan = update(former, { bookingSystem: 'other', bookingId: 'b2' });
  expect(plan).toMatchObject({ formerVersion: 4, next: { version: 6, deleted: false, updatedAt: now } });
  expect(sent(plan)).toEqual(['standard 5 back', 'other 6', 'hook 6']);
  expect(JSON.parse(plan.messages[0]?.body ?? '').waiver).toMatchObject({
    bookingId: 'b1',
    deleted: true,
    updatedAt: '2026-05-01T11:59:59.999Z',
  });
  expect(sent(update(former, { bookingId: null }))).toEqual(['standard 5 back', 'hook 6']);
});

test('another id of the same booking takes nothing back, and keeps the last visit', () => {
  const lastVisit = new Date(session.startsAt);
  const former = waiverRecord({ lastVisitSource: 'session', lastVisit });
  const plan = update(former, { bookingId: 'b1-code' }, { aliases: ['b1-code'] });
  expect(plan.next).toMatchObject({
    bookingId: 'b1-code',
    version: 2,
    lastVisit,
    lastVisitSource: 'session',
  });
  expect(sent(plan)).toEqual(['standard 2', 'hook 2']);
  const toOtherGuest = { bookingId: 'b1-code', bookingGuestId: 'g2' };
  expect(sent(update(former, toOtherGuest, { aliases: ['b1-code'] }))).toEqual([
    'standard 2 back',
    'standard 3',
    'hook 3',
  ]);
});

test('joining a booking takes nothing back: it is one version', () => {
  const walkIn = waiverRecord({ bookingSystem: null, bookingId: null, bookingGuestId: 'g1' });
  const joined = update(walkIn, { bookingSystem: 'standard', bookingId: 'b1', bookingGuestId: 'g2' });
  expect(joined.next.version).toBe(2);
  expect(sent(joined)).toEqual(['standard 2', 'hook 2']);
});

test('moving to another guest sends a takeback only to systems that know waivers by guest id', () => {
  const former = waiverRecord();
  expect(sent(update(former, { bookingGuestId: 'g2' }))).toEqual(['standard 2 back', 'standard 3', 'hook 3']);
  expect(sent(update(former, { bookingGuestId: 'g1' }))).toEqual(['standard 2', 'hook 2']);
  const atOther = waiverRecord({ bookingSystem: 'other' });
  expect(sent(update(atOther, { bookingGuestId: 'g2' }))).toEqual(['other 3', 'hook 3']);
  const nobody = waiverRecord({ bookingGuestId: null });
  expect(sent(update(nobody, { bookingGuestId: 'g1' }))).toEqual(['standard 2', 'hook 2']);
});

test('a void is final', () => {
  const voided = planChange(draftOf(draftVoid(waiverRecord())), context);
  expect(voided.next).toMatchObject({ deleted: true, version: 2 });
  expect(sent(voided)).toEqual(['standard 2', 'hook 2']);
  expect(draftVoid(voided.next)).toEqual({ refusal: 'voided', former: voided.next });
  expect(draftUpdate(voided.next, { currentPage: 'x' })).toMatchObject({ refusal: 'voided' });
});

test('growing beyond the limit is refused; other changes of an oversized waiver are not', () => {
  const former = waiverRecord({ answers: { own: 'x'.repeat(maxAnswersBytes) } });
  expect(draftUpdate(former, { answers: { name: 'Bo' } })).toMatchObject({ refusal: 'answers-too-large' });
  expect(draftUpdate(former, { answers: { own: null } })).toHaveProperty('draft');
  expect(draftUpdate(former, { currentPage: 'two' })).toHaveProperty('draft');
});

test('a guest who is gone from the booking is left without a takeback', () => {
  const former = waiverRecord();
  const draft = draftFollowing(former, { id: 'w1', bookingGuestId: 'g2', needsSessions: true });
  const plan = planChange(draft, { ...context, sessions: [session] });
  expect(plan.next).toMatchObject({
    version: 2,
    bookingGuestId: 'g2',
    lastVisit: new Date(session.startsAt),
    lastVisitSource: 'session',
  });
  expect(sent(plan)).toEqual(['standard 2', 'hook 2']);
  expect(sent(update(former, { bookingGuestId: 'g2' }))).toEqual(['standard 2 back', 'standard 3', 'hook 3']);
});

test('moving to another booking takes the waiver back only from destinations that still exist', () => {
  const move = (bookingSystem: string, missing?: MissingReference) => {
    const change = { bookingId: 'b2', bookingGuestId: 'g2' };
    const draft = draftOf(draftUpdate(waiverRecord({ bookingSystem }), change, missing));
    return sent(planChange(draft, { ...context, staysInBooking: false }));
  };
  expect(move('standard')).toEqual(['standard 2 back', 'standard 3', 'hook 3']);
  expect(move('standard', 'guest')).toEqual(['standard 3', 'hook 3']);
  expect(move('standard', 'booking')).toEqual(['standard 2', 'hook 2']);
  // Knows the waiver by its own id, in a booking that is still there.
  expect(move('other', 'guest')).toEqual(['other 2 back', 'other 3', 'hook 3']);
  expect(move('other', 'booking')).toEqual(['other 2', 'hook 2']);
});

test('in any history, versions and times increase and each version is sent once to each recipient', () => {
  const change = fc.record(
    {
      bookingSystem: fc.constantFrom('standard', 'other', 'uninstalled', null),
      bookingId: fc.constantFrom('b1', 'b2', null),
      bookingGuestId: fc.constantFrom('g1', 'g2', null),
      activities: fc.constantFrom(['raft'], [], null),
      lastVisit: fc.constantFrom(new Date('2026-07-01T00:00:00Z'), null),
      currentPage: fc.constantFrom('two', null),
    },
    { requiredKeys: [] },
  );
  // The clock may step back.
  const step = fc.record({ change, clockMs: fc.nat(10), hasSessions: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let record = planCreation({ id: 'w1', pool: 'p1' }, { ...context, now: new Date(5) }).next;
      for (const { change: given, clockMs, hasSessions } of steps) {
        const draft = draftOf(draftUpdate(record, given));
        const plan = planChange(draft, {
          recipients,
          now: new Date(clockMs),
          sessions: hasSessions ? [session] : [],
          staysInBooking: isSameBooking(draft.former, draft.changed),
        });
        const { next } = plan;
        const versions = next.version - record.version;
        expect(plan.formerVersion).toBe(record.version);
        expect(next.updatedAt.getTime()).toBeGreaterThanOrEqual(record.updatedAt.getTime() + versions);
        expect(next.createdAt).toEqual(record.createdAt);
        if (next.lastVisitSource === 'created') expect(next.lastVisit).toEqual(next.createdAt);
        const leaves = record.bookingId !== null && record.bookingId !== next.bookingId;
        if (leaves) expect(versions).toBe(2);
        for (const { version, takeback, body, bookingId, destination } of plan.messages) {
          expect(version).toBe(takeback ? record.version + 1 : next.version);
          const { waiver, guest } = JSON.parse(body);
          expect((waiver ?? guest).deleted).toBe(takeback);
          if (destination !== 'hook') expect(bookingId).toBe(takeback ? record.bookingId : next.bookingId);
        }
        expect(new Set(sent(plan)).size).toBe(plan.messages.length);
        expect(sent(plan)).toContain(`hook ${next.version}`);
        record = next;
      }
    }),
  );
});

describe('erasure', () => {
  const now = new Date('2027-01-01T00:00:00.000Z');
  const recipients = {
    installations: [
      {
        destination: 'd1',
        permissionVersion: 0,
        bookingSystem: 'standard',
        guestId: 'booking-guest-id',
        properties: ['name', 'validUntil', 'reuseOf'],
      },
    ],
    webhooks: [{ destination: 'd2', permissionVersion: 0, properties: ['name', 'validUntil', 'reuseOf'] }],
  } as const;

  const { next: former } = planCreation(
    {
      id: 'w1',
      pool: 'p1',
      bookingSystem: 'standard',
      bookingId: 'b1',
      bookingGuestId: 'g1',
      activities: ['raft'],
      currentPage: 'last',
      validUntil: '2027-05-01',
      reuseOf: 'w0',
      answers: { name: 'Ann', feedback: 'nice' },
    },
    { now, recipients, sessions: [] },
  );

  test('the last version holds nothing of the guest, and the messages no answers', () => {
    const { next, messages, formerVersion } = planErasure(former, { now, recipients });
    const later = new Date('2027-01-01T00:00:00.001Z');
    expect(formerVersion).toBe(1);
    expect(next).toEqual({
      id: 'w1',
      pool: 'p1',
      version: 2,
      bookingSystem: null,
      bookingId: null,
      bookingGuestId: null,
      activities: [],
      currentPage: null,
      answers: {},
      validUntil: null,
      reuseOf: null,
      lastVisit: later,
      lastVisitSource: 'created',
      deleted: true,
      begun: null,
      createdAt: later,
      updatedAt: later,
    });
    expect(messages.map(({ destination, version, takeback }) => [destination, version, takeback])).toEqual([
      ['d1', 2, false],
      ['d2', 2, false],
    ]);
    expect(messages.map(({ body }) => JSON.parse(body))).toMatchObject([
      { waiver: { id: 'w1', bookingId: 'b1', bookingGuestId: 'g1', deleted: true } },
      { guest: { id: 'w1', deleted: true, feedback: '' } },
    ]);
    for (const { body } of messages) expect(body).not.toMatch(/Ann|nice|2027-05|w0/);
  });

  test('only the given recipients are notified', () => {
    expect(planErasure(former, { now, recipients: { installations: [], webhooks: [] } }).messages).toEqual(
      [],
    );
  });
});
