import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { compareClocks } from '../src/host/calls.ts';
import {
  asOf,
  checkInSessionOf,
  findBookings,
  type KioskBooking,
  type KioskDay,
  sessionsOf,
} from '../src/kiosk/day.ts';
import { afterWrongPin, tryPin } from '../src/kiosk/team.tsx';
import { nextWaitMs, waitMsOf } from '../src/outbox/outbox.ts';
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

  test.each([
    ['Łukasz N.', 'lukasz'],
    ['Groß S.', 'GROSS s'],
    ['Yıldız A.', 'yildiz'],
    ['D’Arcy O.', "d'arcy"],
    ['Bjørn H.', 'bjorn'],
  ])('finds %s for who types %s', (label, search) => {
    const bookings = [booking('BK-1', [label]), zoe];
    expect(findBookings(bookings, search).map(({ reference }) => reference)).toEqual(['BK-1']);
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

describe('on a tablet whose clock was a month ahead until an answer of the service came', () => {
  const month = 30 * 86_400_000;
  const now = Date.parse('2027-07-10T07:00:00Z');
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('what was signed then does not wait for a month', () => {
    const signedThen = { notBefore: now + month + 8_000, dueAt: now + month + 60_000 };
    for (const isForced of [true, false]) expect(waitMsOf(signedThen, now, isForced)).toBe(0);
    const signedNow = { notBefore: now + 8_000, dueAt: now + 60_000 };
    expect(waitMsOf(signedNow, now, true)).toBe(8_000);
    expect(waitMsOf(signedNow, now, false)).toBe(60_000);
    expect(waitMsOf({ notBefore: 0, dueAt: 0 }, now, false)).toBe(0);
  });

  test('wrong PINs do not shut the team out for a month', async () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    const answerNow = () => {
      const headers = { date: new Date(now).toUTCString(), 'content-type': 'application/json' };
      compareClocks(new Response('{}', { headers }));
    };
    const salt = 'c2FsdA';
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('2468'), 'PBKDF2', false, [
      'deriveBits',
    ]);
    const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: Buffer.from(salt, 'base64url'), iterations: 1 };
    const hash = Buffer.from(await crypto.subtle.deriveBits(pbkdf2, key, 256)).toString('base64url');
    const verifier = { salt, iterations: 1, hash };

    vi.useFakeTimers({ toFake: ['Date'], now: now + month });
    answerNow();
    for (let wrong = 0; wrong < 4; wrong += 1) expect(await tryPin('0000', verifier)).toBe('wrong');
    expect(await tryPin('0000', verifier)).toBe('wait');
    vi.setSystemTime(now);
    answerNow();
    expect(await tryPin('2468', verifier)).toBe('wait');
    vi.setSystemTime(now + 61_000);
    expect(await tryPin('2468', verifier)).toBe('right');
  });
});
