import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastVisitOf } from '../src/last-visit.ts';
import {
  areAnswersTooLarge,
  bookingOf,
  contentAfter,
  contentHashOf,
  maxAnswersBytes,
  mergeAnswers,
  removedAnswers,
  type WaiverContent,
} from '../src/waiver.ts';

const content = contentAfter(undefined, {
  bookingSystem: 'standard',
  bookingId: 'b1',
  activities: ['raft', 'kayak'],
  answers: { name: 'Ann', height: 171, nested: { b: [1, { d: null, c: 'x' }], a: true } },
});

// Stored with every waiver since the first release.
const stored = 'd0cd1269cb21e208f09f59240509c5d47024019af67c3bbad75c86e00cae09cf';

test('content has the hash that earlier releases stored, whatever the order of its answers', () => {
  expect(contentHashOf(content, undefined)).toBe(stored);
  const answers = { nested: { a: true, b: [1, { c: 'x', d: null }] }, height: 171, name: 'Ann' };
  expect(contentHashOf({ ...content, answers }, undefined)).toBe(stored);
  const walkIn = contentAfter(undefined, { currentPage: 'two', answers: { name: 'Ann' } });
  expect(contentHashOf(walkIn, new Date('2026-05-01T09:30:00Z'))).toBe(
    '9b0b9c520c3b5ac2e49ab77c6369de1cd7cbc1d9a55eb28483f3ef4c49c1c2b0',
  );
});

test('any difference changes the hash', () => {
  const others: WaiverContent[] = [
    { ...content, bookingSystem: 'other' },
    { ...content, bookingId: null },
    { ...content, bookingGuestId: 'b1' },
    { ...content, activities: ['kayak', 'raft'] },
    { ...content, currentPage: 'two' },
    { ...content, answers: { ...content.answers, height: '171' } },
    { ...content, validUntil: '2027-05-01' },
    { ...content, reuseOf: 'w0' },
  ];
  const hashes = others.map((other) => contentHashOf(other, undefined));
  const visit = contentHashOf(content, new Date('2026-05-01T09:30:00Z'));
  expect(new Set([...hashes, visit, stored]).size).toBe(others.length + 2);
});

test('a change leaves other fields as they are, and null empties a field', () => {
  expect(contentAfter(content, {})).toEqual(content);
  expect(contentAfter(content, { bookingId: 'b2', currentPage: 'two' })).toEqual({
    ...content,
    bookingId: 'b2',
    currentPage: 'two',
  });
  const signed = { ...content, validUntil: '2027-05-01' };
  expect(contentAfter(signed, { answers: { name: 'Bo' } })).toMatchObject({ validUntil: '2027-05-01' });
  const empty = contentAfter(undefined, {});
  expect(empty).toMatchObject({ bookingSystem: null, activities: [], currentPage: null, answers: {} });
  const answers = { name: null, height: null, nested: null };
  const emptied = { bookingSystem: null, bookingId: null, activities: null, answers, validUntil: null };
  expect(contentAfter(signed, emptied)).toEqual(empty);
});

test('a waiver has a booking only with both its system and its id', () => {
  const booking = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
  expect(bookingOf({ ...content, pool: 'p1' })).toEqual(booking);
  expect(bookingOf({ ...booking, bookingSystem: null })).toBeUndefined();
  expect(bookingOf({ pool: 'p1', bookingSystem: 'standard' })).toBeUndefined();
});

const answersOf = (bytes: number) => ({ own: 'é'.repeat((bytes - 10) >> 1) + 'x'.repeat(bytes & 1) });

test('the limit is 256 KiB, in bytes of UTF-8', () => {
  expect(Buffer.byteLength(JSON.stringify(answersOf(maxAnswersBytes)))).toBe(262_144);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes))).toBe(false);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes + 1))).toBe(true);
});

test('answers stored before the limit must shrink', () => {
  const former = answersOf(maxAnswersBytes + 100);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes + 99), former)).toBe(false);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes + 101), former)).toBe(true);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes), {})).toBe(false);
});

test('merged answers keep their order, null removes one, and any name is a name', () => {
  const former = JSON.parse('{"zebra":1,"name":"Ann","a":[1,{"b":null}],"__proto__":"own"}');
  const changed = JSON.parse('{"zebra":null,"notes":"x","name":"Bo","absent":null}');
  const merged = mergeAnswers(former, changed);
  expect(JSON.stringify(merged)).toBe('{"name":"Bo","a":[1,{"b":null}],"__proto__":"own","notes":"x"}');
  expect(removedAnswers(former, merged)).toEqual(new Set(['zebra']));
  expect(Object.keys(former)).toContain('zebra');
});

const createdAt = new Date(0);

test('lastVisit is the earliest of the guest’s own sessions, else of all, else the creation', () => {
  const sessions = [
    { startsAt: '2026-06-02T10:00:00Z', activityId: 'raft' },
    { startsAt: '2026-06-01T10:00:00Z', activityId: 'kayak' },
    { startsAt: '2026-06-03T10:00:00Z', activityId: 'raft' },
  ];
  const visit = (activities: string[]) => lastVisitOf(sessions, activities, createdAt);
  expect(visit(['raft'])).toEqual({
    lastVisit: new Date('2026-06-02T10:00:00Z'),
    lastVisitSource: 'session',
  });
  expect(visit(['other']).lastVisit).toEqual(new Date('2026-06-01T10:00:00Z'));
  expect(lastVisitOf([], ['raft'], createdAt)).toEqual({ lastVisit: createdAt, lastVisitSource: 'created' });
});

test('a start out of range is skipped', () => {
  const starts = ['0000-12-31T22:00:00Z', '+010000-01-01T01:30:00Z', '1899-12-31T23:59:59.999Z', 'soon'];
  const sessions = starts.map((startsAt) => ({ startsAt }));
  expect(lastVisitOf(sessions, [], createdAt).lastVisitSource).toBe('created');
  const edges = ['2199-12-31T23:59:59.999Z', '1900-01-01T00:00:00Z', '2200-01-01T00:00:00Z'];
  for (const [place, source] of ['session', 'session', 'created'].entries()) {
    const session = { startsAt: edges[place] ?? '' };
    expect(lastVisitOf([session, ...sessions], [], createdAt).lastVisitSource).toBe(source);
  }
});

test('the earliest start of the guest’s own sessions never lies before the earliest of all', () => {
  const session = fc.record({
    startsAt: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString()),
    activityId: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(session), fc.subarray(['a', 'b', 'c']), (found, activities) => {
      const { lastVisit, lastVisitSource } = lastVisitOf(found, activities, createdAt);
      expect(lastVisitSource).toBe(found.length === 0 ? 'created' : 'session');
      const times = found.map(({ startsAt }) => Date.parse(startsAt));
      if (times.length > 0) expect(times).toContain(lastVisit.getTime());
      if (activities.length === 0 && times.length > 0) expect(lastVisit.getTime()).toBe(Math.min(...times));
    }),
  );
});
