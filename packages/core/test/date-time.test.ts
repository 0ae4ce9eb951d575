import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDateTime, utcDateTimeSchema, zonedDateTimeSchema } from '../src/index.ts';

describe('a date-time', () => {
  it.each([
    ['2026-05-01T09:30:00Z', '2026-05-01T09:30:00Z'],
    ['2026-05-01T09:30:00.250Z', '2026-05-01T09:30:00.250Z'],
    ['2026-05-01T09:30:00.000Z', '2026-05-01T09:30:00Z'],
    ['2026-05-01T09:30:00.5Z', '2026-05-01T09:30:00.500Z'],
    ['2026-05-01T09:30:00,25Z', '2026-05-01T09:30:00.250Z'],
    ['2026-05-01T09:30:00.123456789Z', '2026-05-01T09:30:00.123Z'],
    ['2026-05-01T09:30:00z', '2026-05-01T09:30:00Z'],
    [' 2026-05-01T09:30:00Z\n', '2026-05-01T09:30:00Z'],
    ['2021-04-05T12:30:00+0200', '2021-04-05T10:30:00Z'],
    ['2019-07-27T09:45:00-04:00', '2019-07-27T13:45:00Z'],
    ['2019-07-27T09:45:00+05:30', '2019-07-27T04:15:00Z'],
    ['2026-05-01 09:30Z', '2026-05-01T09:30:00Z'],
    ['2024-02-29 09:30Z', '2024-02-29T09:30:00Z'],
    ['2026-05-01T09:30:00+02', '2026-05-01T07:30:00Z'],
  ])('%j reads as %s', (text, value) => {
    expect(readDateTime(text)).toEqual({ kind: 'utc', value });
  });

  it.each(['2026-05-01T09:30:00', '2023-11-02 09:00:00', '2026-05-01T09:30'])('%s has no zone', (text) => {
    expect(readDateTime(text)).toEqual({ kind: 'without-zone' });
  });

  it.each([
    '',
    'tomorrow',
    '2026-02-30T10:00:00Z',
    '2026-02-29T10:00:00Z',
    '2026-04-31T10:00:00Z',
    '2026-05-00T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-05-01T25:00:00Z',
    '2026-05-01',
    '1700000000',
    '2026-05-01T09:30:00.Z',
    '2026-05-01T09:30:00.1234567890Z',
    '2026-05-01T09Z',
    '2026-05-01T09:30.5Z',
    '2026-05-01T09:30:00+2',
    '2026-05-01T09:30:00+02:0',
    '2026-05-01T09:30:00+25:00',
    '2026-05-01T09:60:00Z',
    '2026-5-1T09:30:00Z',
    '2026-05-01_09:30:00Z',
    'on 2026-05-01T09:30:00Z',
    '2026-05-01T09:30:00Z, about',
  ])('%j is not a date-time', (text) => {
    expect(readDateTime(text)).toEqual({ kind: 'not-a-date-time' });
  });

  it.each([
    '0001-01-01T00:00:00+02:00',
    '0001-01-01T00:00:00',
    '1899-12-31T23:59:59Z',
    '1900-01-01T00:30:00+01:00',
    '2199-12-31T23:30:00-01:00',
    '2200-01-01T00:00:00Z',
    '9999-12-31T23:59:59-05:00',
  ])('%s is out of range', (text) => {
    expect(readDateTime(text)).toEqual({ kind: 'out-of-range' });
  });

  it.each(['1900-01-01T00:00:00Z', '2199-12-31T23:59:59Z'])('%s is just within range', (text) => {
    expect(readDateTime(text)).toEqual({ kind: 'utc', value: text });
  });

  it('of any instant, in any zone, reads as that instant', () => {
    const instant = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        fc.boolean(),
        (when, minutes, colon) => {
          const local = new Date(when.getTime() + minutes * 60_000).toISOString().slice(0, -1);
          const sign = minutes < 0 ? '-' : '+';
          const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
          const rest = String(Math.abs(minutes) % 60).padStart(2, '0');
          const reading = readDateTime(`${local}${sign}${hours}${colon ? ':' : ''}${rest}`);
          expect(reading.kind === 'utc' && new Date(reading.value).getTime()).toBe(when.getTime());
        },
      ),
    );
  });

  it.each(['1900-01-01T00:00:00Z', '2026-05-01T09:30:00.123Z', '2199-12-31T23:59:59Z'])(
    '%s conforms to the contract and is kept as it is',
    (text) => {
      expect(utcDateTimeSchema.parse(text)).toBe(text);
    },
  );

  it.each([
    '1899-12-31T23:59:59Z',
    '2200-01-01T00:00:00Z',
    '2026-05-01T09:30:00+00:00',
    '2026-05-01T09:30:00',
    '2026-05-01',
  ])('%s does not conform to the contract, and the message says what would', (text) => {
    const message = utcDateTimeSchema.safeParse(text).error?.issues.at(-1)?.message;
    expect(message).toMatch(/^a date-time (in UTC, ISO 8601|from the year 1900 to 2199)/);
  });

  it('with a time zone parses to UTC with milliseconds; without one it is rejected', () => {
    expect(zonedDateTimeSchema.parse('2026-05-01T09:30:00+02:00')).toBe('2026-05-01T07:30:00.000Z');
    expect(zonedDateTimeSchema.safeParse('2026-05-01T09:30:00').error?.issues[0]?.message).toMatch(
      /time zone/,
    );
    expect(zonedDateTimeSchema.safeParse('2026-02-30T09:30:00Z').success).toBe(false);
  });
});

it('these tests run where the machine’s time is not UTC, in winter as in summer', () => {
  const offsets = [0, 6].map((month) => new Date(2027, month, 1).getTimezoneOffset());
  expect(offsets).toEqual([-825, -765]);
});
