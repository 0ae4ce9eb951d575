import {
  AuthenticationRejected,
  BookingNotFound,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  RateLimited,
} from '@waiver-service/core';
import { describe, expect, it } from 'vitest';
import { allowsStaleBooking } from '../../src/booking-reading/read-breaker.ts';

describe('the last good booking is served', () => {
  it.each([
    ['a time-out', new BookingSystemTimeout('late')],
    ['a 429', new RateLimited('slow down', { upstreamStatus: 429 })],
    ['a 500', new BookingSystemUnavailable('fault', { upstreamStatus: 500 })],
    ['a 503', new BookingSystemUnavailable('fault', { upstreamStatus: 503 })],
    [
      'a refused connection',
      new BookingSystemUnavailable('down', { outboundErrorCode: 'connection_refused' }),
    ],
    [
      'a name that does not resolve',
      new BookingSystemUnavailable('down', { outboundErrorCode: 'dns_error' }),
    ],
  ])('on %s', (_, error) => {
    expect(allowsStaleBooking(error)).toBe(true);
  });

  it.each([
    ['a 401 or 403', new AuthenticationRejected('key', { upstreamStatus: 401 })],
    ['a 404', new BookingNotFound('none', { upstreamStatus: 404 })],
    ['an answer that is no booking', new InvalidBookingResponse('no')],
    [
      'an answer that is too large',
      new InvalidBookingResponse('no', [], { outboundErrorCode: 'response_too_large' }),
    ],
    [
      'a redirect',
      new BookingSystemUnavailable('moved', { upstreamStatus: 302, outboundErrorCode: 'redirect' }),
    ],
    ['a refused address', new BookingSystemUnavailable('no', { outboundErrorCode: 'blocked_address' })],
    ['a fault of the service', new Error('bug')],
  ])('but not on %s', (_, error) => {
    expect(allowsStaleBooking(error)).toBe(false);
  });
});
