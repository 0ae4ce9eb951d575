import { afterEach, expect, test, vi } from 'vitest';
import { sinceOf } from '../src/api/choices.ts';
import { texts } from '../src/text/english.ts';
import { endOfDay, relativeTime, startOfDay } from '../src/text/formats.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['Europe/Amsterdam', '2027-06-12', 24],
  ['Europe/Amsterdam', '2027-03-28', 23],
  ['Europe/Amsterdam', '2027-10-31', 25],
  // Clocks are put forward at midnight, so that day has none.
  ['Africa/Cairo', '2025-04-24', 24],
  ['Africa/Cairo', '2025-04-25', 23],
])('in %s %s has the hours that it has where clocks change', (zone, day, hours) => {
  vi.stubEnv('TZ', zone);
  expect(Date.parse(endOfDay(day)) - Date.parse(startOfDay(day))).toBe(hours * 3_600_000);
});

test.each([
  ['2027-06-12T09:59:55Z', '5 sec ago'],
  ['2027-06-12T09:55:00Z', '5 min ago'],
  ['2027-06-12T07:00:00Z', '3 hr ago'],
  ['2027-06-11T09:00:00Z', 'yesterday'],
  ['2027-06-12T10:30:00Z', 'in 30 min'],
  ['2027-06-12T10:00:00Z', 'now'],
  ['2027-06-12T10:00:00.900Z', 'now'],
  ['2027-06-12T09:00:00.100Z', '59 min ago'],
])('%s is %s', (at, text) => {
  expect(relativeTime(new Date(at), new Date('2027-06-12T10:00:00Z'))).toBe(text);
});

test('a period ends now', () => {
  const now = Date.parse('2027-06-12T10:30:59.999Z');
  expect(sinceOf('1h', now)).toBe('2027-06-12T09:30:59.999Z');
  expect(sinceOf('7d', now)).toBe('2027-06-05T10:30:59.999Z');
  expect(sinceOf(undefined, now)).toBeUndefined();
});

test.each([
  ['documents', 'Built from documents'],
  ['recorded', 'Recorded from a real account'],
  [{ liveSince: '2027-05-01' }, 'Seen live since 1 May 2027'],
] as const)('a plugin of the tier %j has words for people', (tier, words) => {
  expect(texts.tier(tier)).toBe(words);
});
