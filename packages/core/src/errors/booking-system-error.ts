/** Why a call failed: no response, or a response that does not count as success. A closed list. */
export const outboundErrorCodes = [
  'dns_error',
  'connection_refused',
  'connection_reset',
  'timeout',
  'tls_error',
  'redirect',
  'response_too_large',
  'http_status',
  'not_accepted',
  'blocked_address',
] as const;

/** One of {@link outboundErrorCodes}. */
export type OutboundErrorCode = (typeof outboundErrorCodes)[number];

/** The `code` of each error class, as the HTTP API reports it. */
export type BookingSystemErrorCode =
  | 'booking_not_found'
  | 'booking_has_other_id'
  | 'booking_system_auth_rejected'
  | 'booking_system_rate_limited'
  | 'booking_system_timeout'
  | 'booking_system_error'
  | 'booking_system_not_configured'
  | 'invalid_booking_response'
  | 'malformed_list_cursor'
  | 'waiver_rejected';

/** Details that any of the error classes accepts. */
export interface BookingSystemErrorDetails {
  /** The HTTP status of the booking system's response, if there was one. */
  readonly upstreamStatus?: number;
  readonly outboundErrorCode?: OutboundErrorCode;
  /** True if the request may have taken effect although no response arrived. */
  readonly inDoubt?: boolean;
  /** True if the request was never sent to the booking system. */
  readonly notSent?: boolean;
  readonly cause?: unknown;
}

// Two copies of this package can be loaded (the host's and an external plugin's). They share registered symbols, not
// classes.
const brand = Symbol.for('waiver-service.booking-system-error');

/** Base class of the errors of a call to a booking system. A message says what to do and contains no secret. */
export abstract class BookingSystemError extends Error {
  abstract readonly code: BookingSystemErrorCode;
  /** Whether the same call may succeed later. */
  abstract readonly retryable: boolean;
  readonly upstreamStatus: number | undefined;
  readonly outboundErrorCode: OutboundErrorCode | undefined;
  readonly inDoubt: boolean;
  readonly notSent: boolean;
  readonly [brand] = true;

  constructor(message: string, details: BookingSystemErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.upstreamStatus = details.upstreamStatus;
    this.outboundErrorCode = details.outboundErrorCode;
    this.inDoubt = details.inDoubt ?? false;
    this.notSent = details.notSent ?? false;
  }
}

/** Whether an error is a {@link BookingSystemError}, whichever copy of this package created it. */
export function isBookingSystemError(error: unknown): error is BookingSystemError {
  return typeof error === 'object' && error !== null && brand in error;
}

/**
 * Milliseconds to wait before the next request, if the error has them. Works for errors of any copy of this package.
 */
export const requestedWaitMs = (error: BookingSystemError): number | undefined =>
  'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
