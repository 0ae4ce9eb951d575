import { expect, test } from 'vitest';
import { bookingOf, contentAfter, contentHashOf, type WaiverContent } from '../src/waiver.ts';

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
