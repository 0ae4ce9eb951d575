import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDateTime, zonedDateTimeSchema } from '../src/index.ts';

describe('a date-time', () => {
  it.each([
    ['2026-05-01T09:30:00Z', '2026-05-01T09:30:00Z', true],
    ['2026-05-01T09:30:00.250Z', '2026-05-01T09:30:00.250Z', true],
    ['2021-04-05T12:30:00+0200', '2021-04-05T10:30:00Z', false],
    ['2019-07-27T09:45:00-04:00', '2019-07-27T13:45:00Z', false],
    ['2019-07-27T09:45:00+05:30', '2019-07-27T04:15:00Z', false],
    ['2026-05-01 09:30Z', '2026-05-01T09:30:00Z', false],
    ['2024-02-29 09:30Z', '2024-02-29T09:30:00Z', false],
    ['2026-05-01T09:30:00+02', '2026-05-01T07:30:00Z', false],
  ])('%s reads as %s', (text, value, exact) => {
    expect(readDateTime(text)).toEqual({ kind: 'utc', value, exact });
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
  ])('%j is none', (text) => {
    expect(readDateTime(text)).toEqual({ kind: 'not-a-date-time' });
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

  it('given to keep must have a zone, and is kept in UTC with milliseconds', () => {
    expect(zonedDateTimeSchema.parse('2026-05-01T09:30:00+02:00')).toBe('2026-05-01T07:30:00.000Z');
    expect(zonedDateTimeSchema.safeParse('2026-05-01T09:30:00').success).toBe(false);
    expect(zonedDateTimeSchema.safeParse('2026-02-30T09:30:00Z').success).toBe(false);
  });
});
