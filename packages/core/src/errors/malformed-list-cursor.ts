import { BookingSystemError } from './booking-system-error.ts';

/** A cursor that the plugin did not create, or that another version created: start the list again. */
export class MalformedListCursor extends BookingSystemError {
  readonly code = 'malformed_list_cursor';
  readonly retryable = false;
}
