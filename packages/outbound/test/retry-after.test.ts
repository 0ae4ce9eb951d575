import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../src/index.ts';

const now = new Date('2026-05-01T09:30:00Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Fri, 01 May 2026 09:31:00 GMT', 60_000],
  ['Friday, 01-May-26 09:31:00 GMT', 60_000],
  ['Fri May  1 09:31:00 2026', 60_000],
  ['Fri, 01 May 2026 09:00:00 GMT', 0],
])('%s is %i ms', (text, milliseconds) => {
  expect(parseRetryAfter(text, now)).toBe(milliseconds);
});

test.each([
  undefined,
  null,
  7,
  ['7'],
  '',
  'soon',
  '-1',
  '1.5',
  '1e9',
  '2026-05-01T09:31:00Z',
  'Fri, 99 May 2026 09:31:00 GMT',
])('%s says nothing', (value) => {
  expect(parseRetryAfter(value, now)).toBeUndefined();
});

test('any whole number of seconds is that many, and stays a safe number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (seconds) => {
      const read = parseRetryAfter(String(seconds), now);
      const exact = seconds * 1000n;
      expect(read).toBe(exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(exact));
    }),
  );
});

test('any date in HTTP’s form is the time until then, never negative', () => {
  const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, dates, (date, at) => {
      const whole = Math.floor(date.getTime() / 1000) * 1000;
      expect(parseRetryAfter(date.toUTCString(), at)).toBe(Math.max(0, whole - at.getTime()));
    }),
  );
});

test('no text makes it throw or answer anything but a time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const read = parseRetryAfter(text, now);
      expect(read === undefined || (Number.isSafeInteger(read) && read >= 0)).toBe(true);
    }),
  );
});
