import { type RawBuilder, sql } from 'kysely';

/** A position in a list of bookings ordered by first session. */
export interface UpcomingPosition {
  readonly firstStartsAt: Date;
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** Matches rows of `upcoming_booking u` after a position, by `first_starts_at, booking_system, booking_id`. */
export const isAfter = (after: UpcomingPosition | undefined): RawBuilder<boolean> =>
  after === undefined
    ? sql`true`
    : sql`(u.first_starts_at, u.booking_system, u.booking_id)
        > (${after.firstStartsAt}::timestamptz, ${after.bookingSystem}, ${after.bookingId})`;
