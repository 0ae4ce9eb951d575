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

/** How often to retry a rejected waiver. */
export type RejectionRetry =
  /** The whole retry schedule: the cause may pass. */
  | 'schedule'
  /** Three attempts in total: the booking system seems to reject the body itself ({@link isBodyRejected}). */
  | 'three-attempts'
  /** No retry: the booking system will never accept this waiver (410). */
  | 'never';

const bodyRejections = new Set([400, 413, 415, 422]);

/** Whether a status rejects the request body: malformed, too large or of the wrong type. A retry rarely helps. */
export const isBodyRejected = (status: number): boolean => bodyRejections.has(status);

/**
 * The booking system answered a Guest Update, but did not accept the waiver (contract 4.2). `retry` is `schedule`,
 * `three-attempts` or `never`.
 */
export class WaiverRejected extends BookingSystemError {
  readonly code = 'waiver_rejected';
  readonly retry: RejectionRetry;
  readonly retryable: boolean;

  constructor(message: string, details: BookingSystemErrorDetails & { readonly retry: RejectionRetry }) {
    super(message, details);
    this.retry = details.retry;
    this.retryable = details.retry !== 'never';
  }
}

/** Whether an error is a {@link WaiverRejected}, whichever copy of this package created it. */
export const isWaiverRejected = (error: unknown): error is WaiverRejected =>
  isBookingSystemError(error) && error.code === 'waiver_rejected';

/**
 * A waiver refers to its booking by an id that is not the booking's own, and nothing was written yet. A Guest Update is
 * sent again with `bookingId`, when no other one of the booking is under way; no attempt is used.
 */
export class BookingHasOtherId extends BookingSystemError {
  readonly code = 'booking_has_other_id';
  readonly retryable = true;
  /** The booking's own id. */
  readonly bookingId: string;

  constructor(message: string, details: BookingSystemErrorDetails & { readonly bookingId: string }) {
    super(message, details);
    this.bookingId = details.bookingId;
  }
}

/** A cursor that the plugin did not create, or that another version created: start the list again. */
export class MalformedListCursor extends BookingSystemError {
  readonly code = 'malformed_list_cursor';
  readonly retryable = false;
}
