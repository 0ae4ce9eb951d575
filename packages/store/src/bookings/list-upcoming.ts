import type { FetchedBooking } from '@waiver-service/core';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { isAfter, type UpcomingPosition } from '../database/upcoming-position.ts';
import { maxBookingAge, parseFetchedBooking } from './stored-booking.ts';

/** A page of the bookings of a period, ordered by first session. */
export interface UpcomingQuery {
  readonly pool: string;
  readonly from: Date;
  readonly until: Date;
  /** The last booking of the previous page. */
  readonly after?: UpcomingPosition | undefined;
  readonly limit: number;
}

/** A booking whose last session has not ended, or ended at most two days ago. */
export interface UpcomingBooking {
  readonly bookingSystem: string;
  /** Its own id. */
  readonly bookingId: string;
  readonly firstStartsAt: Date;
  /** The last valid response and its time; undefined once it is 24 hours old: then read the booking again. */
  readonly stored: { readonly fetched: FetchedBooking; readonly fetchedAt: Date } | undefined;
}

interface Row extends Omit<UpcomingBooking, 'stored'> {
  readonly fetched: string | null;
  readonly fetchedAt: Date | null;
}

function storedOf({ fetched: text, fetchedAt }: Row): UpcomingBooking['stored'] {
  if (text === null || fetchedAt === null) return undefined;
  const fetched = parseFetchedBooking(text);
  return fetched && { fetched, fetchedAt };
}

/** Lists bookings whose span, from the start of the first session to the end of the last, overlaps the period. */
export async function listUpcoming(
  database: Database,
  { pool, from, until, after, limit }: UpcomingQuery,
): Promise<readonly UpcomingBooking[]> {
  const { rows } = await sql<Row>`
select u.booking_system, u.booking_id, u.first_starts_at,
  b.fetched, b.fetched_at
from upcoming_booking u
left join cached_booking b on b.pool = u.pool and b.booking_system = u.booking_system and b.booking_id = u.booking_id
  and b.fetched_at > now() - ${maxBookingAge}
where u.pool = ${pool} and u.first_starts_at < ${until} and u.last_starts_at >= ${from} and ${isAfter(after)}
order by u.first_starts_at, u.booking_system, u.booking_id
limit ${limit}`.execute(database);
  return rows.map((row) => {
    const { fetched: _, fetchedAt: __, ...booking } = row;
    return { ...booking, stored: storedOf(row) };
  });
}
