import { BookingSystemError } from '@waiver-service/core';

/** A booking system cannot be called because a setting, an account field or its address is missing or malformed. */
export class BookingSystemNotConfigured extends BookingSystemError {
  readonly code = 'booking_system_error';
  readonly retryable = true;
}
