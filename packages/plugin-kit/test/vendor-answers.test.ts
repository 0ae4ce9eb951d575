import { BookingNotFound, isBookingSystemError, WaiverRejected } from '@waiver-service/core';
import { describe, expect, it } from 'vitest';
import { rejectNotFound } from '../src/answers.ts';
import {
  definedFields,
  objectOf,
  objectsIn,
  Reading,
  raiseForStatus,
  textOf,
  textsByLabel,
  vendorContact,
  vendorSession,
} from '../src/index.ts';

const refusalOf = (status: number, vendorMessage?: string): unknown => {
  try {
    raiseForStatus(
      { status, headers: { 'retry-after': '7' }, data: '' },
      { bookingSystem: 'Acme', purpose: 'guest-update', vendorMessage },
    );
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('the response to a vendor-specific write', () => {
  it.each([
    [400, 'three-attempts'],
    [413, 'three-attempts'],
    [415, 'three-attempts'],
    [422, 'three-attempts'],
    [404, 'schedule'],
    [410, 'never'],
  ])('%i is a refusal, tried again: %s', (status, retry) => {
    const error = refusalOf(status, 'no room');
    expect(error).toBeInstanceOf(WaiverRejected);
    expect(error).toMatchObject({ retry, upstreamStatus: status });
    expect(String(error)).toContain('saying "no room"');
  });

  it('any other status throws as for a read, and 2xx passes', () => {
    expect(refusalOf(403)).toMatchObject({ code: 'booking_system_auth_rejected' });
    expect(refusalOf(429)).toMatchObject({ code: 'booking_system_rate_limited', retryAfterMs: 7000 });
    expect(refusalOf(503)).toMatchObject({ code: 'booking_system_error' });
    expect([200, 201, 204].map((status) => refusalOf(status))).toEqual([undefined, undefined, undefined]);
  });

  it('420 is a rate limit, like 429', () => {
    const response = { status: 420, headers: { 'retry-after': '3' }, data: '' };
    try {
      raiseForStatus(response, { bookingSystem: 'Acme', purpose: 'read', bookingId: 'B' });
      expect.unreachable();
    } catch (error) {
      expect(isBookingSystemError(error) && error).toMatchObject({
        code: 'booking_system_rate_limited',
        upstreamStatus: 420,
        retryAfterMs: 3000,
      });
    }
  });
});

describe('a vendor’s error message', () => {
  const messageOf = (status: number, vendorMessage: string): string => {
    try {
      raiseForStatus(
        { status, headers: {}, data: '' },
        { bookingSystem: 'Acme', purpose: 'read', bookingId: 'B', vendorMessage },
      );
    } catch (error) {
      return String(error);
    }
    return '';
  };

  it.each([400, 401, 403, 404, 429, 500])('becomes part of the error of a read (status %i)', (status) => {
    expect(messageOf(status, 'the unit is sold out')).toContain(', saying "the unit is sold out"');
    expect(messageOf(status, '')).not.toContain('saying');
  });
});

describe('textOf', () => {
  it('accepts non-empty texts and integers', () => {
    expect(['a ', 7, '', ' ', 1.5, 2 ** 60, null, {}, [], undefined, true].map(textOf)).toEqual([
      'a',
      '7',
      ...Array(9).fill(undefined),
    ]);
    expect(definedFields({ a: 'x', b: undefined })).toEqual({ a: 'x' });
    const answers = [
      ['Diet', 'vegan'],
      ['Diet', 'none'],
      [undefined, 'x'],
      ['Size', undefined],
    ] as const;
    expect(textsByLabel(answers)).toEqual({ Diet: 'vegan' });
    expect([objectOf([1]), objectOf(null), objectOf({ a: 1 })]).toEqual([{}, {}, { a: 1 }]);
    expect([objectsIn({}), objectsIn([1, null, { a: 1 }])]).toEqual([[], [{ a: 1 }]]);
    expect('b' in definedFields({ a: 'x', b: undefined })).toBe(false);
  });
});

describe('building blocks for vendors’ plugins', () => {
  it('warn of a contact without a name and a session without an end', () => {
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

  it('do not warn of a complete contact or session', () => {
    const reading = new Reading();
    const contact = { name: 'Ada', email: 'ada@example.com', phoneNumber: '+44' };
    expect(vendorContact(reading, contact, 'contact')).toEqual(contact);
    const times = { startsAt: '2027-06-12T07:30:00Z', endsAt: '2027-06-12T09:30:00Z' };
    const session = { ...times, activityId: 'r', activityName: 'Raft' };
    expect(vendorSession(reading, session, 'slot')).toEqual(session);
    expect(reading.warnings).toEqual([]);
  });

  it('name each field that a session lacks', () => {
    const reading = new Reading();
    const startsAt = '2027-06-12T07:30:00Z';
    const bare = { startsAt, endsAt: undefined, activityId: '', activityName: null };
    expect(vendorSession(reading, bare, 'slot')).toStrictEqual({ startsAt });
    expect(reading.warnings).toEqual(
      ['endsAt', 'activityId', 'activityName'].map((name) => ({
        code: 'session_incomplete',
        path: 'slot',
        message: `slot gives no ${name}`,
      })),
    );
  });

  it('take a session that ends when it starts for one without an end', () => {
    const reading = new Reading();
    const session = { startsAt: '2027-06-12T07:30:00Z', activityId: 'r', activityName: 'Raft' };
    for (const endsAt of ['2027-06-12T07:30:00Z', '2027-06-12T07:30:00.000Z']) {
      expect(vendorSession(reading, { ...session, endsAt }, 'slot')).toStrictEqual(session);
    }
    expect(reading.warnings.map(({ message }) => message)).toEqual([
      'slot gives no endsAt',
      'slot gives no endsAt',
    ]);
  });

  it('refuse a session without a start', () => {
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

  it('turn a booking that is not found during a write into a rejection to retry', () => {
    expect(() => rejectNotFound(new BookingNotFound('gone'))).toThrow(
      expect.objectContaining({ code: 'waiver_rejected', retry: 'schedule', message: 'gone' }),
    );
    expect(() => rejectNotFound(new BookingNotFound('gone', { upstreamStatus: 410 }))).toThrow(
      expect.objectContaining({ upstreamStatus: 410 }),
    );
    expect(() => rejectNotFound(new BookingNotFound('gone'))).toThrow(
      expect.objectContaining({ upstreamStatus: 404 }),
    );
    const refused = new WaiverRejected('full', { retry: 'never' });
    expect(() => rejectNotFound(refused)).toThrow(refused);
    const other = new TypeError('a bug');
    expect(() => rejectNotFound(other)).toThrow(other);
    const ofAnotherCopy = Object.assign(new Error('gone'), {
      [Symbol.for('waiver-service.booking-system-error')]: true,
      code: 'booking_not_found',
    });
    expect(() => rejectNotFound(ofAnotherCopy)).toThrow(
      expect.objectContaining({ code: 'waiver_rejected', retry: 'schedule' }),
    );
  });
});
