/** Why a call did not bring an answer with a status, or brought one that does not count: a closed list. */
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

/** The `code` of each error class, as the HTTP API answers it. */
export type BookingSystemErrorCode =
  | 'booking_not_found'
  | 'booking_system_auth_rejected'
  | 'booking_system_rate_limited'
  | 'booking_system_timeout'
  | 'booking_system_error'
  | 'booking_system_not_configured'
  | 'invalid_booking_response'
  | 'waiver_rejected';

/** What every error class can be told. */
export interface BookingSystemErrorDetails {
  /** The status the booking system answered with, when it answered. */
  readonly upstreamStatus?: number;
  /** Which failure of the closed list this is, when it is one of them. */
  readonly outboundErrorCode?: OutboundErrorCode;
  /** True where the request may have been carried out although no answer came back. */
  readonly inDoubt?: boolean;
  readonly cause?: unknown;
}

// Two copies of this package can be loaded (the host's and an outside plugin's): a registered symbol is shared
// by both, a class is not.
const brand = Symbol.for('waiver-service.booking-system-error');

/** What went wrong between us and a booking system. The message says what to do and holds no secret. */
export abstract class BookingSystemError extends Error {
  abstract readonly code: BookingSystemErrorCode;
  /** Whether the same call may succeed later. */
  abstract readonly retryable: boolean;
  readonly upstreamStatus: number | undefined;
  readonly outboundErrorCode: OutboundErrorCode | undefined;
  readonly inDoubt: boolean;
  readonly [brand] = true;

  constructor(message: string, details: BookingSystemErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.upstreamStatus = details.upstreamStatus;
    this.outboundErrorCode = details.outboundErrorCode;
    this.inDoubt = details.inDoubt ?? false;
  }
}

/** Whether an error is one of core's, whichever copy of core made it. */
export function isBookingSystemError(error: unknown): error is BookingSystemError {
  return typeof error === 'object' && error !== null && brand in error;
}
