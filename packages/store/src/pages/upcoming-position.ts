import { type RawBuilder, sql } from 'kysely';

/** A place in a list of bookings in the order of their first sessions. */
export interface UpcomingPosition {
  readonly firstStartsAt: Date;
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** A condition on `upcoming_booking u`: those behind a place, in the order of `first_starts_at, booking_system, booking_id`. */
export const isAfter = (after: UpcomingPosition | undefined): RawBuilder<boolean> =>
  after === undefined
    ? sql`true`
    : sql`(u.first_starts_at, u.booking_system, u.booking_id)
        > (${after.firstStartsAt}::timestamptz, ${after.bookingSystem}, ${after.bookingId})`;
