import { BookingSystemError, type BookingSystemErrorDetails } from './booking-system-error.ts';

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
