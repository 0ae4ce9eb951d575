import { type BookingSystemError, isBookingSystemError, type OutboundErrorCode } from '@waiver-service/core';

// There was no response because of the partner or the network. A redirect, an oversized response or a refused address
// will not improve by waiting.
const unreachable: ReadonlySet<OutboundErrorCode> = new Set([
  'dns_error',
  'connection_refused',
  'connection_reset',
  'timeout',
  'tls_error',
]);

/**
 * Whether a failed read may be answered with the last good booking: on time-out, 5xx, 429 or an unreachable booking
 * system; never on 401, 403, 404 or an answer that is not a booking.
 */
export function allowsStaleBooking(error: unknown): boolean {
  if (!isBookingSystemError(error)) return false;
  switch (error.code) {
    case 'booking_system_timeout':
    case 'booking_system_rate_limited':
      return true;
    case 'booking_system_error':
      return error.upstreamStatus === undefined
        ? error.outboundErrorCode !== undefined && unreachable.has(error.outboundErrorCode)
        : error.upstreamStatus >= 500;
    default:
      return false;
  }
}

/**
 * Whether a read failed before the booking system was asked: its request budget is used up, or it does not renew the
 * installation's authorization.
 */
export const isHeldBack = (error: unknown): error is BookingSystemError =>
  isBookingSystemError(error) && error.notSent;
