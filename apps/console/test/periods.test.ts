import { expect, test } from 'vitest';
import { sinceOf } from '../src/api/periods.ts';

test('a period ends now', () => {
  const now = Date.parse('2027-06-12T10:30:59.999Z');
  expect(sinceOf('1h', now)).toBe('2027-06-12T09:30:59.999Z');
  expect(sinceOf('7d', now)).toBe('2027-06-05T10:30:59.999Z');
  expect(sinceOf(undefined, now)).toBeUndefined();
});
