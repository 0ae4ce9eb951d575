import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MalformedCursor } from '../../src/index.ts';
import { decodeCursor, decodeUuidCursor, encodeCursor, pageOf } from '../../src/pages/pages.ts';

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'));

test('a position survives encoding and decoding, and its cursor is safe in a URL', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (position) => {
      const cursor = encodeCursor(position);
      expect(encodeURIComponent(cursor)).toBe(cursor);
      expect(decodeCursor(cursor, position.length)).toEqual(position);
      expect(() => decodeCursor(cursor, position.length + 1)).toThrow(MalformedCursor);
    }),
  );
});

test('any other text is rejected with MalformedCursor', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (cursor) => {
      try {
        decodeCursor(cursor, 1);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedCursor);
      }
    }),
  );
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const malformed = [
    '',
    '%',
    '====',
    'x'.repeat(10_000),
    ...[1, null, {}, [], [1], ['a\u0000'], ['\ud800']].map(encoded),
  ];
  for (const cursor of malformed) expect(() => decodeCursor(cursor, 1), cursor).toThrow(MalformedCursor);
});

test('a list that exactly fills a page has no next page', () => {
  const rows = [1, 2, 3].map(String);
  const page = (limit: number) => pageOf(rows.slice(0, limit + 1), limit, (row) => [row], Number);
  expect(page(3)).toEqual({ items: [1, 2, 3], next: null });
  expect(page(2)).toEqual({ items: [1, 2], next: encodeCursor(['2']) });
  expect(pageOf([], 2, () => [''], Number)).toEqual({ items: [], next: null });
});

test('the cursor of a list by UUIDs holds one, or there is none', () => {
  const id = '0193a5b0-0000-7000-8000-00000000000a';
  expect(decodeUuidCursor(undefined)).toBeUndefined();
  expect(decodeUuidCursor(encodeCursor([id]))).toBe(id);
  expect(() => decodeUuidCursor(encodeCursor(['w1']))).toThrow(MalformedCursor);
});
