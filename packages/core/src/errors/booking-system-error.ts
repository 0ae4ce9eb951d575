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

/**
 * The booking system has no such booking (contract 4.1, 7). A read responds with 404; a Guest Update is retried by
 * the schedule.
 */
export class BookingNotFound extends BookingSystemError {
  readonly code = 'booking_not_found';
  readonly retryable = false;
}

/**
 * The booking system rejected the account's API key (401 or 403). A read responds with 502; a Guest Update is retried
 * by the schedule or, if it is known that there is no token (`notSent`), waits for one without an attempt.
 */
export class AuthenticationRejected extends BookingSystemError {
  readonly code = 'booking_system_auth_rejected';
  readonly retryable = true;
}

/** The details of {@link RateLimited}. */
export interface RateLimitedDetails extends BookingSystemErrorDetails {
  readonly retryAfterMs?: number;
}

/**
 * The booking system asked for fewer requests (429), or its limits leave none for this one. A read responds with 503; a
 * Guest Update is retried, not before `retryAfterMs`.
 */
export class RateLimited extends BookingSystemError {
  readonly code = 'booking_system_rate_limited';
  readonly retryable = true;
  /** Milliseconds to wait, from `Retry-After` if the response had one. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: RateLimitedDetails = {}) {
    super(message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** No answer within the time limit. A read responds with 504; a Guest Update is retried, in doubt if it was sent. */
export class BookingSystemTimeout extends BookingSystemError {
  readonly code = 'booking_system_timeout';
  readonly retryable = true;
}

/**
 * The booking system could not be reached, or answered with a 5xx, a redirect or another unexpected status. A read
 * responds with 502; a Guest Update is retried, in doubt if it was sent and no status received.
 */
export class BookingSystemUnavailable extends BookingSystemError {
  readonly code = 'booking_system_error';
  readonly retryable = true;
  /** Milliseconds to wait, from `Retry-After`, if the response had one. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: BookingSystemErrorDetails & { readonly retryAfterMs?: number } = {}) {
    super(message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** One reason why a response body is not a valid booking. */
export interface BookingIssue {
  /** Path within the partner's body: `bookedSessions[0].startsAt`. */
  readonly path: string;
  readonly message: string;
}

/**
 * The booking system answered, but not with a booking; `issues` names each field. A read responds with 502; a Guest
 * Update is retried by the schedule.
 */
export class InvalidBookingResponse extends BookingSystemError {
  readonly code = 'invalid_booking_response';
  readonly retryable = false;
  readonly issues: readonly BookingIssue[];

  constructor(
    message: string,
    issues: readonly BookingIssue[] = [],
    details: BookingSystemErrorDetails = {},
  ) {
    super(
      issues.length === 0
        ? message
        : `${message}: ${issues.map((issue) => `${issue.path} ${issue.message}`).join('; ')}`,
      details,
    );
    this.issues = issues;
  }
}

/** Whether an error is an {@link InvalidBookingResponse}, whichever copy of this package created it. */
export const isInvalidBookingResponse = (error: unknown): error is InvalidBookingResponse =>
  isBookingSystemError(error) && error.code === 'invalid_booking_response';
