import { BookingSystemError } from '@waiver-service/core';

/**
 * A booking system cannot be called because a setting, an account field or its address is missing or malformed. To be
 * recognised by its `code`: a plugin from outside may throw it from a copy of this package of its own.
 */
export class BookingSystemNotConfigured extends BookingSystemError {
  readonly code = 'booking_system_not_configured';
  readonly retryable = true;
}
