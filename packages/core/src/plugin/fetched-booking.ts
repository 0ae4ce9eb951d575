import type { Booking } from '../resources/booking.ts';
import type { Warning } from '../warning.ts';
import type { BookingForm } from './manifest.ts';

/** A booking, the form it was received in, and the deviations that were tolerated. */
export interface FetchedBooking {
  /** The form of the response. */
  readonly form: BookingForm;
  /**
   * In the contract's current form. It may lack what the partner omitted and the plugin tolerated: names of guests, and
   * a session's `endsAt` and activity. Values are never invented.
   */
  readonly booking: Booking;
  /** One for each deviation that was tolerated. */
  readonly warnings: readonly Warning[];
}
