import { BookingSystemError, type BookingSystemErrorDetails } from './booking-system-error.ts';

/** How often a refused waiver is worth sending again. */
export type RejectionRetry =
  /** By the whole retry schedule: the refusal may pass. */
  | 'schedule'
  /** Three tries in all: the body itself seems to be what is refused (400, 413, 415, 422). */
  | 'three-tries'
  /** Not again: the booking system says that it will never take it (410). */
  | 'never';

/** The booking system answered a Guest Update and did not take it (contract 4.2). */
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
