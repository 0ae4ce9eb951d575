import type { InvalidBookingResponse } from '../errors/read-errors.ts';
import type { Warning } from '../warning.ts';
import type { FetchedBooking } from './booking-system-plugin.ts';

/** Which bookings to list. */
export interface BookingListRequest {
  /** When the earliest session starts that counts: UTC, ISO 8601 with `Z`. */
  readonly from: string;
  /** Before which a session starts that counts, at most 31 days later: UTC, ISO 8601 with `Z`. */
  readonly until: string;
  /** The number of bookings wanted per page, 1 to 100. Where the vendor has other sizes, the host cuts. */
  readonly limit: number;
  /** `next` of the page before; undefined for the first page. */
  readonly cursor?: string | undefined;
}

/** A booking in a list: what was read of it, or why it cannot be read. With neither, the host reads it by its id. */
export interface ListedBooking {
  readonly bookingId: string;
  readonly fetched?: FetchedBooking | undefined;
  readonly problem?: InvalidBookingResponse | undefined;
}

/** A page of a list. */
export interface ListedBookings {
  /** Bookings outside of the requested time are left out by the host; cancelled ones may be among them. */
  readonly bookings: readonly ListedBooking[];
  /** For the next page; undefined on the last one. At most 2,000 characters. */
  readonly next?: string | undefined;
}

/** Since when to tell of changes. */
export interface BookingChangesRequest {
  /** `cursor` of the call before; undefined at first, when nothing needs to be told yet. */
  readonly cursor: string | undefined;
  readonly now: Date;
}

/** Changed bookings. */
export interface BookingChanges {
  /** The bookings to read again; any number may be told once more. */
  readonly bookingIds: readonly string[];
  /** For the next call, at most 2,000 characters. Nothing that changes from now on may be passed over. */
  readonly cursor: string;
  /** Whether to call again at once. */
  readonly hasMore: boolean;
}

/** The account can be used. */
export interface CheckedAccess {
  /** Remarks for the operator. */
  readonly warnings: readonly Warning[];
}
