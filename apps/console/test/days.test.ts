import { afterEach, expect, test, vi } from 'vitest';
import { endOfDay, startOfDay } from '../src/components/days.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['2027-06-12', 24],
  ['2027-03-28', 23],
  ['2027-10-31', 25],
])('%s has the hours that it has where clocks change', (day, hours) => {
  vi.stubEnv('TZ', 'Europe/Amsterdam');
  expect(Date.parse(endOfDay(day)) - Date.parse(startOfDay(day))).toBe(hours * 3_600_000);
});
