import { BookingSystemError } from './booking-system-error.ts';

/** A cursor that the plugin did not make, or not in this version: the list must be begun again. */
export class MalformedListCursor extends BookingSystemError {
  readonly code = 'malformed_list_cursor';
  readonly retryable = false;
}
