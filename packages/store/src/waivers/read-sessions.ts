import type { BookingKey, VisitSession } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';

interface SessionsRow extends BookingKey {
  readonly sessions: readonly VisitSession[] | null;
}

const keyOf = ({ pool, bookingSystem, bookingId }: BookingKey) =>
  JSON.stringify([pool, bookingSystem, bookingId]);

/**
 * Reads the sessions of some bookings from the last valid responses.
 *
 * @returns a function that finds those of a booking; none if no response is stored.
 */
export async function readSessions(
  database: Database,
  bookings: readonly BookingKey[],
): Promise<(booking: BookingKey | undefined) => readonly VisitSession[]> {
  const found = new Map<string, readonly VisitSession[]>();
  if (bookings.length > 0) {
    const wanted = [...new Map(bookings.map((booking) => [keyOf(booking), booking])).values()];
    const { rows } = await sql<SessionsRow>`${prepared}
select k.pool, k.booking_system as "bookingSystem", k.booking_id as "bookingId",
  b.fetched::json #> '{booking,bookedSessions}' as sessions
from unnest(${wanted.map(({ pool }) => pool)}::text[], ${wanted.map(({ bookingSystem }) => bookingSystem)}::text[],
  ${wanted.map(({ bookingId }) => bookingId)}::text[]) k (pool, booking_system, booking_id)
join cached_booking b on b.pool = k.pool and b.booking_system = k.booking_system and b.booking_id = k.booking_id`.execute(
      database,
    );
    for (const { sessions, ...booking } of rows) found.set(keyOf(booking), sessions ?? []);
  }
  return (booking) => (booking && found.get(keyOf(booking))) ?? [];
}
