import { BookingSystemError } from '@waiver-service/core';

/**
 * A booking system cannot be called because a setting, an account field or its address is missing or malformed.
 * Identify it by its `code`: an external plugin may throw it from its own copy of this package.
 */
export class BookingSystemNotConfigured extends BookingSystemError {
  readonly code = 'booking_system_not_configured';
  readonly retryable = true;
}
