import { describe, expect, it } from 'vitest';
import { isPlanned } from '../../src/invitations/plan-pool.ts';

const due = { occasion: 'evening-before', day: '2027-06-12' } as const;
const read = new Date('2027-06-10T12:00:00Z');
const later = new Date('2027-06-10T12:00:01Z');
const now = new Date('2027-06-11T18:00:00Z');
const plan = { ...due, fetchedAt: read, retryAt: null };

describe('an occasion of a booking is planned again', () => {
  it.each([
    ['not by the same answer', { fetchedAt: read, plan }, true],
    ['not where no answer is stored any more', { fetchedAt: null, plan }, true],
    ['never planned before', { fetchedAt: read, plan: null }, false],
    ['by a newer answer, which may have new guests', { fetchedAt: later, plan }, false],
    [
      'after another occasion',
      { fetchedAt: read, plan: { ...plan, occasion: 'days-before' as const } },
      false,
    ],
    ['on another day', { fetchedAt: read, plan: { ...plan, day: '2027-06-11' } }, false],
    [
      'not before it is time to try again',
      { fetchedAt: read, plan: { ...plan, retryAt: new Date('2027-06-11T18:00:01Z') } },
      true,
    ],
    ['when it is time to try again', { fetchedAt: read, plan: { ...plan, retryAt: now } }, false],
  ])('%s', (_, booking, expected) => expect(isPlanned(booking, due, now)).toBe(expected));
});
