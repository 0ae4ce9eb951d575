import {
  BookingSystemError,
  type BookingSystemErrorDetails,
  isBookingSystemError,
} from './booking-system-error.ts';

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
