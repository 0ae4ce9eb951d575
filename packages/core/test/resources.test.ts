import { describe, expect, it } from 'vitest';
import {
  bookingNotFoundSchema,
  bookingSchema,
  currentBookingSchema,
  installRequestSchema,
  installResponseSchema,
  legacyBookingSchema,
  uninstallResponseSchema,
  waiverFieldNames,
  waiverSchema,
  webhookGuestFieldNames,
  webhookGuestSchema,
} from '../src/index.ts';
import {
  contact,
  current,
  endsAt,
  guest,
  legacy,
  session,
  startsAt,
  waiver,
  webhookGuest,
} from './bodies.ts';

describe('the contract’s limits', () => {
  const isBooking = (change: object) => currentBookingSchema.safeParse({ ...current, ...change }).success;
  it.each([
    ['no session', { bookedSessions: [] }],
    [
      'a session whose start has an offset',
      { bookedSessions: [{ ...session, startsAt: '2026-05-01T09:30:00+02:00' }] },
    ],
    ['a session whose end has no zone', { bookedSessions: [{ ...session, endsAt: '2026-05-01T09:30:00' }] }],
  ])('a booking with %s is not to the letter', (_, change) => {
    expect(isBooking(change)).toBe(false);
  });

  const isLegacy = (change: object) => legacyBookingSchema.safeParse({ ...legacy, ...change }).success;

  it('a booking may be for nobody, and not for fewer', () => {
    expect([0, 1, 2 ** 53 - 1, -1, 0.5].map((pax) => isBooking({ pax }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('a legacy guest may be no more than an id, a legacy activity names itself and its id', () => {
    expect(isLegacy({ guests: [{ guestId: 'G1' }] })).toBe(true);
    expect(isLegacy({ guests: [{ name: 'Ana' }] })).toBe(false);
    expect(isLegacy({ activities: [{ activityId: 'raft' }] })).toBe(false);
    expect(isLegacy({ activities: [{ activity: 'Rafting' }] })).toBe(false);
    expect(isLegacy({ activities: [{ activity: 'Rafting', activityId: 'raft', room: 4 }] })).toBe(true);
  });

  it('answers of the wrong kind are not taken for what they are not', () => {
    expect(installResponseSchema.safeParse({ success: false, message: '' }).success).toBe(false);
    expect(uninstallResponseSchema.safeParse({ success: false, message: '' }).success).toBe(false);
    expect(bookingNotFoundSchema.safeParse({ success: true, message: 'none' }).success).toBe(false);
  });

  it('fields that the contract does not name are kept at every level', () => {
    const more = { colour: 'red' };
    const booking = {
      ...current,
      ...more,
      contact: { ...contact, ...more },
      guests: [{ ...guest, ...more }],
      bookedSessions: [{ ...session, ...more }],
    };
    expect(currentBookingSchema.parse(booking)).toEqual(booking);
    expect(bookingSchema.parse(booking)).toEqual(booking);
    expect(waiverSchema.parse({ ...waiver, ...more })).toEqual({ ...waiver, ...more });
    expect(webhookGuestSchema.parse({ ...webhookGuest, ...more })).toEqual({ ...webhookGuest, ...more });
  });

  it('the names of the fields are those that the bodies have, in the contract’s order', () => {
    expect(waiverFieldNames).toEqual(Object.keys(waiver));
    expect(webhookGuestFieldNames).toEqual(Object.keys(webhookGuest));
  });

  it('the times of a webhook’s guest have milliseconds', () => {
    for (const name of ['createdAt', 'updatedAt', 'lastVisit'])
      expect(webhookGuestSchema.safeParse({ ...webhookGuest, [name]: startsAt }).success, name).toBe(false);
  });

  it('a waiver’s id has 256 bytes at most', () => {
    expect(waiverSchema.safeParse({ ...waiver, id: 'é'.repeat(128) }).success).toBe(true);
    expect(waiverSchema.safeParse({ ...waiver, id: 'é'.repeat(129) }).success).toBe(false);
  });

  it('a guest of the webhook may be on no page and of no booking', () => {
    expect(webhookGuestSchema.safeParse({ ...webhookGuest, currentPage: null }).success).toBe(true);
    expect(webhookGuestSchema.safeParse({ ...webhookGuest, reservationsID: null }).success).toBe(true);
    expect(webhookGuestSchema.safeParse({ ...webhookGuest, lastVisit: null }).success).toBe(false);
  });
});

describe('a booking as plugins give it', () => {
  const isTaken = (change: object) => bookingSchema.safeParse({ ...current, ...change }).success;

  it('is of one of the groups of statuses', () => {
    for (const statusGroup of ['active', 'cancelled', 'other']) expect(isTaken({ statusGroup })).toBe(true);
    expect(isTaken({ statusGroup: '' })).toBe(false);
  });

  it('has guests without a name and sessions with only a start', () => {
    expect(isTaken({ guests: [{}], bookedSessions: [{ startsAt }] })).toBe(true);
    expect(isTaken({ bookedSessions: [{ endsAt, activityId: 'raft', activityName: 'Rafting' }] })).toBe(
      false,
    );
  });

  it('has a session, unless it is cancelled', () => {
    expect(isTaken({ bookedSessions: [], statusGroup: 'cancelled' })).toBe(true);
    for (const statusGroup of ['active', 'other', undefined]) {
      const { error } = bookingSchema.safeParse({ ...current, bookedSessions: [], statusGroup });
      expect(error?.issues).toMatchObject([{ path: ['bookedSessions'] }]);
    }
  });
});

describe('an install request', () => {
  const request = { key: 'k', pool: 'p', accountId: 1, apiKey: 'a' };
  const isTaken = (change: object) => installRequestSchema.safeParse({ ...request, ...change }).success;

  it('keeps further account information, and the type of accountId', () => {
    for (const accountId of [42, '42']) {
      const body = { ...request, accountId, region: 'eu' };
      expect(installRequestSchema.parse(body)).toEqual(body);
    }
  });

  it('has a key of 1 to 512 characters', () => {
    expect(['', 'k', 'k'.repeat(512), 'k'.repeat(513)].map((key) => isTaken({ key }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('has an API key of 1 to 4096 characters', () => {
    expect(['', 'k', 'k'.repeat(4096), 'k'.repeat(4097)].map((apiKey) => isTaken({ apiKey }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('has an API key that a header can carry: all visible ASCII and spaces, or a whole number', () => {
    const visible = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index));
    expect(installRequestSchema.parse({ ...request, apiKey: visible }).apiKey).toBe(visible);
    expect(installRequestSchema.parse({ ...request, apiKey: 7 }).apiKey).toBe('7');
    for (const apiKey of ['a\n', '\ta', 'a\x7f', 'ключ', 7.5, null]) {
      expect(isTaken({ apiKey }), JSON.stringify(apiKey)).toBe(false);
    }
  });
});
