import { afterEach, expect, test, vi } from 'vitest';
import { endOfDay, startOfDay } from '../src/text/formats.ts';

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
