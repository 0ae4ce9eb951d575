import { expect, test } from 'vitest';
import { periodOfDay } from '../../src/days/day.ts';

test.each([
  ['an ordinary day', '2027-06-12', 'Europe/Berlin', '2027-06-11T22:00:00Z', '2027-06-12T22:00:00Z'],
  ['a day of 23 hours', '2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z'],
  ['a day of 25 hours', '2027-10-31', 'Europe/Berlin', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z'],
  [
    'a day of 23.5 hours',
    '2027-10-03',
    'Australia/Lord_Howe',
    '2027-10-02T13:30:00Z',
    '2027-10-03T13:00:00Z',
  ],
  [
    'a day without midnight',
    '2018-11-04',
    'America/Sao_Paulo',
    '2018-11-04T03:00:00Z',
    '2018-11-05T02:00:00Z',
  ],
  [
    'a day with two midnights',
    '2026-11-01',
    'America/Havana',
    '2026-11-01T04:00:00Z',
    '2026-11-02T05:00:00Z',
  ],
  [
    'the last day of a year',
    '2027-12-31',
    'Pacific/Auckland',
    '2027-12-30T11:00:00Z',
    '2027-12-31T11:00:00Z',
  ],
])('%s', (_, date, timeZone, from, until) => {
  expect(periodOfDay(date, timeZone)).toEqual({ from: new Date(from), until: new Date(until) });
});

test('each day of a year begins as the one before ends', () => {
  let { until } = periodOfDay('2027-01-01', 'Africa/Casablanca');
  for (let time = Date.UTC(2027, 0, 2); time < Date.UTC(2028, 0, 1); time += 86_400_000) {
    const period = periodOfDay(new Date(time).toISOString().slice(0, 10), 'Africa/Casablanca');
    expect(period.from).toEqual(until);
    until = period.until;
  }
});
