import type { InvalidBookingResponse } from '../errors/booking-system-error.ts';
import type { Warning } from '../warning.ts';
import type { FetchedBooking } from './fetched-booking.ts';

/** Which bookings to list. */
export interface BookingListRequest {
  /** The earliest start of a session: UTC, ISO 8601 with `Z`. */
  readonly from: string;
  /** The end of the period, exclusive, at most 31 days later: UTC, ISO 8601 with `Z`. */
  readonly until: string;
  /**
   * The number of bookings wanted per page, 1 to 100; a later page may be asked for with another one. If the vendor has
   * other sizes, the host cuts the page.
   */
  readonly limit: number;
  /** `next` of the previous page; undefined for the first page. */
  readonly cursor?: string | undefined;
}

/** A booking in a list: its content, or why it cannot be read. With neither, the host reads it by its id. */
export interface ListedBooking {
  readonly bookingId: string;
  readonly fetched?: FetchedBooking | undefined;
  readonly problem?: InvalidBookingResponse | undefined;
}

/** A page of a list. */
export interface ListedBookings {
  /** May include cancelled bookings, and bookings outside the requested period, which the host filters out. */
  readonly bookings: readonly ListedBooking[];
  /** The cursor of the next page, at most 2,000 characters; undefined on the last page. */
  readonly next?: string | undefined;
}

/** The point in time after which changes are requested. */
export interface BookingChangesRequest {
  /** `cursor` of the previous call; undefined on the first, which need not return any bookings. */
  readonly cursor: string | undefined;
  readonly now: Date;
}

/** Changed bookings. */
export interface BookingChanges {
  /** The bookings to read again; repetitions do no harm. */
  readonly bookingIds: readonly string[];
  /** The cursor for the next call, at most 2,000 characters. It must not skip any change from now on. */
  readonly cursor: string;
  /** Whether to call again at once. */
  readonly hasMore: boolean;
}

/** The account works. */
export interface CheckedAccess {
  /** Remarks for the operator. */
  readonly warnings: readonly Warning[];
}
