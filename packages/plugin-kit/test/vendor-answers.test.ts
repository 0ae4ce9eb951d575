import { BookingNotFound, isBookingSystemError, WaiverRejected } from '@waiver-service/core';
import { describe, expect, it } from 'vitest';
import {
  filledFields,
  noteLineOf,
  objectOf,
  objectsIn,
  Reading,
  raiseForRefusedWaiver,
  raiseForStatus,
  rejectNotFound,
  textOf,
  vendorContact,
  vendorSession,
  withoutNoteLines,
} from '../src/index.ts';

const refusalOf = (status: number, words?: string): unknown => {
  try {
    raiseForRefusedWaiver({ status, headers: { 'retry-after': '7' }, data: '' }, 'Acme', words);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('what a vendor answers to a write', () => {
  it.each([
    [400, 'three-tries'],
    [413, 'three-tries'],
    [415, 'three-tries'],
    [422, 'three-tries'],
    [404, 'schedule'],
    [410, 'never'],
  ])('%i is a refusal, tried again: %s', (status, retry) => {
    const error = refusalOf(status, 'no room');
    expect(error).toBeInstanceOf(WaiverRejected);
    expect(error).toMatchObject({ retry, upstreamStatus: status });
    expect(String(error)).toContain('saying "no room"');
  });

  it('everything else is what it is when reading, and a 2xx is taken', () => {
    expect(refusalOf(403)).toMatchObject({ code: 'booking_system_auth_rejected' });
    expect(refusalOf(429)).toMatchObject({ code: 'booking_system_rate_limited', retryAfter: 7000 });
    expect(refusalOf(503)).toMatchObject({ code: 'booking_system_error' });
    expect([200, 201, 204].map((status) => refusalOf(status))).toEqual([undefined, undefined, undefined]);
  });

  it('420 asks for fewer requests, as 429 does', () => {
    const response = { status: 420, headers: { 'retry-after': '3' }, data: '' };
    try {
      raiseForStatus(response, { bookingSystem: 'Acme', bookingId: 'B' });
      expect.unreachable();
    } catch (error) {
      expect(isBookingSystemError(error) && error).toMatchObject({
        code: 'booking_system_rate_limited',
        upstreamStatus: 420,
        retryAfter: 3000,
      });
    }
  });
});

describe('texts of vendors', () => {
  it('are texts that say something, and whole numbers', () => {
    expect(['a ', 7, '', ' ', 1.5, 2 ** 60, null, {}, [], undefined, true].map(textOf)).toEqual([
      'a',
      '7',
      ...Array(9).fill(undefined),
    ]);
    expect(filledFields({ a: 'x', b: undefined })).toEqual({ a: 'x' });
    expect([objectOf([1]), objectOf(null), objectOf({ a: 1 })]).toEqual([{}, {}, { a: 1 }]);
    expect([objectsIn({}), objectsIn([1, null, { a: 1 }])]).toEqual([[], [{ a: 1 }]]);
    expect('b' in filledFields({ a: 'x', b: undefined })).toBe(false);
  });
});

describe('what vendors’ plugins put together', () => {
  it('a contact without a name, and a session without its end, come with a warning', () => {
    const reading = new Reading();
    expect(vendorContact(reading, { name: null, email: '', phoneNumber: 49 }, 'contact')).toEqual({
      name: '',
      phoneNumber: '49',
    });
    const fields = {
      startsAt: '2027-06-12T07:30:00Z',
      endsAt: undefined,
      activityId: 7,
      activityName: 'Raft',
    };
    expect(vendorSession(reading, fields, 'slot')).toEqual({
      startsAt: '2027-06-12T07:30:00Z',
      activityId: '7',
      activityName: 'Raft',
    });
    expect(reading.warnings.map(({ code }) => code)).toEqual(['contact_incomplete', 'session_incomplete']);
    expect(() => reading.throwIfRefused()).not.toThrow();
  });

  it('a session without a start is refused', () => {
    const reading = new Reading();
    const fields = {
      startsAt: undefined,
      endsAt: '2027-06-12T07:30:00Z',
      activityId: 7,
      activityName: 'Raft',
    };
    vendorSession(reading, fields, 'slot');
    expect(() => reading.throwIfRefused()).toThrow('slot has no start');
  });

  it('a booking that is gone when a waiver is written is a refusal that may pass', () => {
    expect(() => rejectNotFound(new BookingNotFound('gone'))).toThrow(
      expect.objectContaining({ code: 'waiver_rejected', retry: 'schedule', message: 'gone' }),
    );
    const other = new TypeError('a bug');
    expect(() => rejectNotFound(other)).toThrow(other);
  });

  it('a note without the lines of waivers is what staff wrote', () => {
    const line = noteLineOf({
      id: 'W 1]',
      pool: 'p',
      bookingId: 'B',
      lastVisit: '2026-05-02T09:30:00.000Z',
      deleted: false,
      updatedAt: '2026-05-01T09:30:00.000Z',
      notes: 'asthma',
    });
    const staff = ['Call first.', '[waiver forms are in the drawer]', 'see [waiver x]'];
    expect(withoutNoteLines([staff[0], line, ...staff.slice(1)].join('\n'))).toBe(staff.join('\n'));
  });
});
