import { expect, test } from 'vitest';
import { relativeTime } from '../src/text/formats.ts';

const now = new Date('2027-06-12T10:00:00Z');

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
  expect(relativeTime(new Date(at), now)).toBe(text);
});
