import { describe, expect, it, vi } from 'vitest';
import {
  AuthenticationRejected,
  BookingNotFound,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  isBodyRejected,
  isBookingSystemError,
  RateLimited,
  requestedWaitMs,
  WaiverRejected,
} from '../src/index.ts';

describe('a booking system error', () => {
  it('is recognised whichever copy of the package created it', async () => {
    vi.resetModules();
    const copy = await import('../src/index.ts');
    const error = new copy.BookingNotFound('no booking B1');
    expect(error).not.toBeInstanceOf(BookingNotFound);
    expect(isBookingSystemError(error)).toBe(true);
    // The brand must stay the same over versions of the package.
    const brand = Symbol.for('waiver-service.booking-system-error');
    expect(isBookingSystemError({ [brand]: true })).toBe(true);
    expect(isBookingSystemError(new Error('no booking B1'))).toBe(false);
    for (const other of [null, undefined, 'no booking B1', {}]) {
      expect(isBookingSystemError(other)).toBe(false);
    }
  });

  it('has a code, whether a retry may help, and the status of the response', () => {
    expect(new BookingNotFound('none', { upstreamStatus: 404 })).toMatchObject({
      name: 'BookingNotFound',
      code: 'booking_not_found',
      retryable: false,
      upstreamStatus: 404,
      inDoubt: false,
    });
    expect(new RateLimited('slow', { retryAfterMs: 3000 })).toMatchObject({
      retryable: true,
      retryAfterMs: 3000,
    });
    expect(requestedWaitMs(new RateLimited('slow', { retryAfterMs: 3000 }))).toBe(3000);
    expect(requestedWaitMs(new BookingSystemUnavailable('down'))).toBeUndefined();
    expect(requestedWaitMs(new BookingNotFound('none'))).toBeUndefined();
    expect(new AuthenticationRejected('key')).toMatchObject({ code: 'booking_system_auth_rejected' });
    expect(new WaiverRejected('gone', { retry: 'never' }).retryable).toBe(false);
    expect(new WaiverRejected('busy', { retry: 'schedule' }).retryable).toBe(true);
  });

  it.each([
    [BookingNotFound, 'booking_not_found', false],
    [AuthenticationRejected, 'booking_system_auth_rejected', true],
    [RateLimited, 'booking_system_rate_limited', true],
    [BookingSystemTimeout, 'booking_system_timeout', true],
    [BookingSystemUnavailable, 'booking_system_error', true],
  ] as const)('%o has a code and says whether a retry may help', (Kind, code, retryable) => {
    expect(new Kind('why')).toMatchObject({
      name: Kind.name,
      message: 'why',
      code,
      retryable,
      upstreamStatus: undefined,
      outboundErrorCode: undefined,
      inDoubt: false,
    });
  });

  it('keeps all details of the call', () => {
    const cause = new TypeError('socket hang up');
    const details = { upstreamStatus: 503, outboundErrorCode: 'http_status', inDoubt: true, cause } as const;
    for (const error of [
      new BookingSystemTimeout('late', details),
      new RateLimited('slow', details),
      new BookingSystemUnavailable('down', details),
      new InvalidBookingResponse('no booking', [], details),
      new WaiverRejected('refused', { ...details, retry: 'schedule' }),
    ]) {
      expect(error).toMatchObject(details);
    }
    expect(new BookingSystemUnavailable('down', { retryAfterMs: 2000 }).retryAfterMs).toBe(2000);
    expect(new BookingSystemUnavailable('down').retryAfterMs).toBeUndefined();
    expect('cause' in new BookingSystemTimeout('late')).toBe(false);
  });

  it.each([
    ['schedule', true],
    ['three-attempts', true],
    ['never', false],
  ] as const)('of a rejected waiver says how often to retry: %s', (retry, retryable) => {
    const error = new WaiverRejected('no', { retry });
    expect(error).toMatchObject({ name: 'WaiverRejected', code: 'waiver_rejected', retry, retryable });
  });

  it('of an invalid body lists every issue', () => {
    const error = new InvalidBookingResponse('not a booking', [
      { path: 'contact.name', message: 'is missing' },
      { path: 'pax', message: 'is not a number' },
    ]);
    expect(error.message).toBe('not a booking: contact.name is missing; pax is not a number');
    expect(error).toMatchObject({ code: 'invalid_booking_response', retryable: false });
    expect(error.issues.map(({ path }) => path)).toEqual(['contact.name', 'pax']);
    expect(new InvalidBookingResponse('an empty answer')).toMatchObject({
      message: 'an empty answer',
      issues: [],
    });
  });
});

it.each([
  [400, true],
  [413, true],
  [415, true],
  [422, true],
  [404, false],
  [410, false],
  [500, false],
])('status %i rejects the body: %s', (status, rejected) => {
  expect(isBodyRejected(status)).toBe(rejected);
});
