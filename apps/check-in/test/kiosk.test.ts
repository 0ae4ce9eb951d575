import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asOf,
  checkInSessionOf,
  findBookings,
  type KioskBooking,
  type KioskDay,
  sessionsOf,
} from '../src/kiosk/day.ts';
import { afterWrongPin } from '../src/kiosk/pin.ts';
import { nextWaitMs } from '../src/outbox/outbox.ts';
import { guestKey } from '../src/outbox/waiting.ts';
import { dayIn } from '../src/text/formats.ts';
import { exampleContent, published } from './drafts.ts';

const booking = (id: string, labels: readonly string[], starts = ['2027-07-10T07:00:00Z']): KioskBooking => ({
  ...{ bookingSystem: 'standard', bookingId: id, reference: id, activities: ['raft'], form: 0 },
  sessions: starts.map((startsAt) => ({ startsAt, activityId: 'raft', activityName: 'Rafting' })),
  guests: labels.map((label, index) => ({ bookingGuestId: `G-${index + 1}`, label, signed: false })),
  expected: labels.length,
  signed: 0,
});
const zoe = booking('BK-1001', ['Zoë B.', 'Max B.']);
const jose = booking('AB/77', ['José M.'], ['2027-07-10T12:00:00Z', '2027-07-10T07:00:00Z']);
const day: KioskDay = {
  pool: { name: 'Alpine Rafting' },
  kiosk: { name: 'Desk', returnAfterS: 60, pin: { salt: '', iterations: 1, hash: '' } },
  date: '2027-07-10',
  timeZone: 'Europe/Berlin',
  sealing: { id: 'key-1', publicKey: '' },
  forms: [published(exampleContent('rafting'))],
  walkInForm: null,
  bookings: [zoe, jose],
};

describe('the day of a kiosk', () => {
  test('has its sessions by their start, with the bookings of each', () => {
    expect(sessionsOf(day).map(({ startsAt, bookings }) => [startsAt, bookings.length])).toEqual([
      ['2027-07-10T07:00:00Z', 2],
      ['2027-07-10T12:00:00Z', 1],
    ]);
  });

  test.each([
    ['zoe', ['BK-1001']],
    ['MAX b', ['BK-1001']],
    ['jose', ['AB/77']],
    ['bk-1001', ['BK-1001']],
    ['1001', ['BK-1001']],
    ['ab77', ['AB/77']],
    ['oe', []],
    ['zoe x', []],
    [' ', ['BK-1001', 'AB/77']],
  ])('“%s” finds %j', (search, expected) => {
    expect(findBookings(day.bookings, search).map(({ reference }) => reference)).toEqual(expected);
  });

  test('shows a guest as signed whose signing waits on the tablet', () => {
    const session = checkInSessionOf(day, zoe, [guestKey(zoe, 'G-2')]);
    expect(session?.guests.map(({ signed }) => signed)).toEqual([false, true]);
    expect(session).toMatchObject({ link: { kind: 'kiosk' }, booking: { reference: 'BK-1001' } });
    expect(checkInSessionOf(day, null, [])).toBeUndefined();
  });

  test('has no names once it is over, where the pool is', () => {
    expect(asOf(day, new Date('2027-07-10T21:59:00Z'))).toBe(day);
    expect(asOf(day, new Date('2027-07-10T22:01:00Z')).bookings).toEqual([]);
    expect(dayIn('Pacific/Auckland', new Date('2027-07-10T12:30:00Z'))).toBe('2027-07-11');
  });
});

test('after five wrong PINs each wait is twice the former one, up to an hour', () => {
  let attempts = { wrong: 0, until: 0 };
  const waits = Array.from({ length: 14 }, () => {
    attempts = afterWrongPin(attempts, 0);
    return attempts.until / 60_000;
  });
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
});

test('what was not sent is tried again within minutes, what was refused within hours, and never at once', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tried, isStuck, random) => {
        const wait = nextWaitMs(tried, isStuck, random);
        expect(wait).toBeGreaterThanOrEqual(3_750);
        expect(wait).toBeLessThanOrEqual(isStuck ? 27_000_000 : 375_000);
      },
    ),
  );
});
