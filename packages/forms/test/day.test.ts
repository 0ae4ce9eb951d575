import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageOn, isDay } from '../src/day.ts';
import { validUntil } from '../src/validity.ts';

const on = (date: string) => ({ date, activities: [] });

describe('an age', () => {
  test.each([
    ['2008-07-01', '2026-07-01', 18],
    ['2008-07-02', '2026-07-01', 17],
    ['2008-06-30', '2026-07-01', 18],
    ['2008-12-01', '2026-07-31', 17],
    ['2026-07-01', '2026-07-01', 0],
    ['2026-07-02', '2026-07-01', -1],
  ])('born on %s, on %s: %i', (born, date, age) => {
    expect(ageOn(born, date)).toBe(age);
  });

  test('changes on 1 March for who was born on 29 February, except in leap years', () => {
    expect(ageOn('2008-02-29', '2026-02-28')).toBe(17);
    expect(ageOn('2008-02-29', '2026-03-01')).toBe(18);
    expect(ageOn('2008-02-29', '2028-02-29')).toBe(20);
  });
});

test.each([
  ['2026-02-28', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-1-01', false],
  ['12026-01-01', false],
  ['2026-01-011', false],
  ['', false],
])('whether %s is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

describe('a signing is valid', () => {
  test('for its day', () => {
    expect(validUntil({ validity: { visit: true } }, on('2026-07-01'))).toBe('2026-07-01');
  });

  test('for days after it, over the end of a year and summer time', () => {
    expect(validUntil({ validity: { days: 1 } }, on('2026-12-31'))).toBe('2027-01-01');
    expect(validUntil({ validity: { days: 365 } }, on('2026-01-31'))).toBe('2027-01-31');
    expect(validUntil({ validity: { days: 30 } }, on('2026-03-15'))).toBe('2026-04-14');
  });

  test('until the next such day of the year', () => {
    const season = { validity: { until: '05-31' } };
    expect(validUntil(season, on('2026-05-30'))).toBe('2026-05-31');
    expect(validUntil(season, on('2026-05-31'))).toBe('2026-05-31');
    expect(validUntil(season, on('2026-06-01'))).toBe('2027-05-31');
  });

  test('until 28 February where a year has no 29th', () => {
    expect(validUntil({ validity: { until: '02-29' } }, on('2026-01-01'))).toBe('2026-02-28');
    expect(validUntil({ validity: { until: '02-29' } }, on('2028-01-01'))).toBe('2028-02-29');
    expect(validUntil({ validity: { until: '02-29' } }, on('2026-03-01'))).toBe('2027-02-28');
  });

  const day = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((time) => time.toISOString().slice(0, 10));

  test('never until a day before it', () => {
    const validity = fc.oneof(
      fc.constant({ visit: true } as const),
      fc.integer({ min: 1, max: 3650 }).map((days) => ({ days })),
      day.map((text) => ({ until: text.slice(5) })),
    );
    fc.assert(
      fc.property(validity, day, (one, date) => {
        const until = validUntil({ validity: one }, on(date));
        expect(isDay(until)).toBe(true);
        expect(until >= date).toBe(true);
      }),
    );
  });

  test('for as many days as the form says, and no longer than a year until a day of the year', () => {
    const length = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 3650 }), day, (date, days, other) => {
        expect(length(date, validUntil({ validity: { days } }, on(date)))).toBe(days);
        const until = validUntil({ validity: { until: other.slice(5) } }, on(date));
        expect(length(date, until)).toBeLessThanOrEqual(365);
        const isShort = other.endsWith('-02-29') && until.endsWith('-02-28');
        expect(until.slice(5)).toBe(isShort ? '02-28' : other.slice(5));
      }),
    );
  });
});
