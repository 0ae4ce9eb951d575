import {
  BookingSystemError,
  type BookingSystemErrorDetails,
  isBookingSystemError,
} from './booking-system-error.ts';

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
