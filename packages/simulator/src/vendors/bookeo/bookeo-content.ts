import type { BookeoBooking } from './bookeo-booking.ts';
import type { BookeoPeople } from './bookeo-people.ts';

/** What a simulated Bookeo holds. */
export interface BookeoContent {
  readonly bookings: Map<string, BookeoBooking>;
  readonly people: BookeoPeople;
  /** The names and ids of the account's customer custom fields. */
  readonly customFields: readonly string[];
  /** Who was told of a change by mail: `notifyUsers`, `notifyCustomer`. */
  readonly notifications: string[];
}
