import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retryAfterMsOf } from '../src/index.ts';

const now = new Date('2026-05-01T09:30:00Z');
const parse = (value: unknown, at = now) => retryAfterMsOf({ 'retry-after': value }, at);

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Fri, 01 May 2026 09:31:00 GMT', 60_000],
  ['Friday, 01-May-26 09:31:00 GMT', 60_000],
  ['Fri May  1 09:31:00 2026', 60_000],
  ['Fri, 01 May 2026 09:00:00 GMT', 0],
])('%s is %i ms', (text, milliseconds) => {
  expect(parse(text)).toBe(milliseconds);
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
  expect(parse(value)).toBeUndefined();
});

test('any whole number of seconds is that many, and stays a safe number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (seconds) => {
      const read = parse(String(seconds));
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
      expect(parse(date.toUTCString(), at)).toBe(Math.max(0, whole - at.getTime()));
    }),
  );
});

describe('a date in an answer with a Date header', () => {
  test('is the time between the two, whatever the clock of either side says', () => {
    const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 100_000 }), dates, (answered, seconds, at) => {
        const whole = Math.floor(answered.getTime() / 1000) * 1000;
        const until = new Date(whole + seconds * 1000);
        fc.pre(until.getUTCFullYear() <= 9999);
        const headers = { 'retry-after': until.toUTCString(), date: answered.toUTCString() };
        expect(retryAfterMsOf(headers, at)).toBe(seconds * 1000);
      }),
    );
  });

  test.each(['soon', '', undefined, 7])('counts from now where that date cannot be read: %j', (date) => {
    const headers = { 'retry-after': 'Fri, 01 May 2026 09:31:00 GMT', date };
    expect(retryAfterMsOf(headers, now)).toBe(60_000);
  });

  test('plays no part for seconds', () => {
    const headers = { 'retry-after': '7', date: 'Fri, 01 May 2020 09:31:00 GMT' };
    expect(retryAfterMsOf(headers, now)).toBe(7_000);
  });
});

test('no text makes it throw or answer anything but a time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const read = parse(text);
      expect(read === undefined || (Number.isSafeInteger(read) && read >= 0)).toBe(true);
    }),
  );
});
