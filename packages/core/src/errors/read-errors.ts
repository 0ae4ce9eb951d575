import { BookingSystemError, type BookingSystemErrorDetails } from './booking-system-error.ts';

/** The booking system says that it has no such booking (contract 4.1, 7). */
export class BookingNotFound extends BookingSystemError {
  readonly code = 'booking_not_found';
  readonly retryable = false;
}

/** The booking system does not accept the account's key (its 401 or 403). */
export class AuthenticationRejected extends BookingSystemError {
  readonly code = 'booking_system_auth_rejected';
  readonly retryable = true;
}

/** The booking system asks us to slow down (its 429). */
export class RateLimited extends BookingSystemError {
  readonly code = 'booking_system_rate_limited';
  readonly retryable = true;
  /** Milliseconds that the booking system asked us to wait, when it said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: BookingSystemErrorDetails & { readonly retryAfter?: number } = {}) {
    super(message, details);
    this.retryAfter = details.retryAfter;
  }
}

/** No answer within the time limit. */
export class BookingSystemTimeout extends BookingSystemError {
  readonly code = 'booking_system_timeout';
  readonly retryable = true;
}

/** The booking system could not be reached, or answered with a fault of its own (5xx, a redirect). */
export class BookingSystemUnavailable extends BookingSystemError {
  readonly code = 'booking_system_error';
  readonly retryable = true;
  /** Milliseconds that a `Retry-After` asked for, when there was one. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: BookingSystemErrorDetails & { readonly retryAfter?: number } = {}) {
    super(message, details);
    this.retryAfter = details.retryAfter;
  }
}

/** One thing that keeps an answer from being a booking. */
export interface BookingIssue {
  /** Where, in the partner's own body: `bookedSessions[0].startsAt`. */
  readonly path: string;
  readonly message: string;
}

/** The booking system answered, but not with a booking. */
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
        : `${message}: ${issues.map(({ path, message: what }) => `${path} ${what}`).join('; ')}`,
      details,
    );
    this.issues = issues;
  }
}
