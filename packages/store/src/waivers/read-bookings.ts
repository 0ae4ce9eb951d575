import { prepared } from '@waiver-service/database';
import type { BookingKey, VisitSession } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { bookingKeyText, ownBookingId, referenceOf } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';
import { responseJson } from './stored-response.ts';

/** The part of a booking that a waiver's change depends on. */
export interface BookingReading {
  /** Its own id, whichever of its ids was given. */
  readonly ownId: string;
  /** From the last valid response; empty if none is stored. */
  readonly sessions: readonly VisitSession[];
}

interface BookingRow extends BookingKey {
  readonly ownId: string;
  readonly sessions: readonly VisitSession[] | null;
}

const unread: BookingReading = { ownId: '', sessions: [] };

/**
 * Reads bookings' own ids, and their sessions from the last valid responses.
 *
 * @returns a function that looks up the reading of a booking.
 */
export async function readBookings(
  database: Database,
  bookings: readonly BookingKey[],
): Promise<(booking: BookingKey | undefined) => BookingReading> {
  const found = new Map<string, BookingReading>();
  if (bookings.length > 0) {
    const wanted = [...new Map(bookings.map((booking) => [bookingKeyText(booking), booking])).values()];
    const { rows } = await sql<BookingRow>`${prepared}
select k.pool, k.booking_system, k.booking_id, o.id as own_id,
  ${responseJson(sql`b.fetched`)} #> '{booking,bookedSessions}' as sessions
from unnest(${wanted.map(({ pool }) => pool)}::text[], ${wanted.map(({ bookingSystem }) => bookingSystem)}::text[],
  ${wanted.map(({ bookingId }) => bookingId)}::text[]) k (pool, booking_system, booking_id)
cross join lateral (select ${ownBookingId(referenceOf('k'))} as id offset 0) o
left join cached_booking b on b.pool = k.pool and b.booking_system = k.booking_system and b.booking_id = o.id`.execute(
      database,
    );
    for (const { ownId, sessions, ...booking } of rows)
      found.set(bookingKeyText(booking), { ownId, sessions: sessions ?? [] });
  }
  return (booking) => (booking && found.get(bookingKeyText(booking))) ?? unread;
}
