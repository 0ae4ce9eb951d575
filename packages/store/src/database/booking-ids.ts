import { prepared, rowsOf } from '@waiver-service/database';
import type { BookingKey } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './tables.ts';

/** A booking as a map key. */
export const bookingKeyText = ({ pool, bookingSystem, bookingId }: BookingKey): string =>
  JSON.stringify([pool, bookingSystem, bookingId]);

/** The columns that identify a booking, as `rowsOf` needs them. */
export const bookingTypes = { pool: 'text', bookingSystem: 'text', bookingId: 'text' } as const;

/** References to the columns that identify a booking, by whichever of its ids was given. */
export interface BookingReference {
  readonly pool: RawBuilder<unknown>;
  readonly bookingSystem: RawBuilder<unknown>;
  readonly bookingId: RawBuilder<unknown>;
}

/** The columns `pool`, `booking_system` and `booking_id` of a table alias. */
export const referenceOf = (table: string): BookingReference => ({
  pool: sql.raw(`${table}.pool`),
  bookingSystem: sql.raw(`${table}.booking_system`),
  bookingId: sql.raw(`${table}.booking_id`),
});

/** A booking given by value. */
export const bookingValue = ({ pool, bookingSystem, bookingId }: BookingKey): BookingReference => ({
  pool: sql`${pool}::text`,
  bookingSystem: sql`${bookingSystem}::text`,
  bookingId: sql`${bookingId}::text`,
});

/** The booking's own id. */
export const ownBookingId = ({ pool, bookingSystem, bookingId }: BookingReference): RawBuilder<string> => sql`
coalesce((select a.booking_id from booking_alias a
  where a.pool = ${pool} and a.booking_system = ${bookingSystem} and a.alias = ${bookingId}), ${bookingId})`;

/** A query for all known ids of the booking, including its own. */
export const idsOfBooking = (booking: BookingReference): RawBuilder<string> => sql`
select ${ownBookingId(booking)} as id
union all
select a.alias from booking_alias a
where a.pool = ${booking.pool} and a.booking_system = ${booking.bookingSystem} and a.booking_id = ${ownBookingId(booking)}`;

/**
 * The order in which a booking's waivers are read up to a limit: those that guests of the booking have signed come first,
 * since anyone with its link may begin any number, or sign as a guest that it does not name.
 */
export const guestsFirst = (waiver: 'o' | 'w'): RawBuilder<unknown> =>
  sql.raw(`${waiver}.current_page is not null, ${waiver}.booking_guest_id is null`);

/** Reads bookings' own ids, in the order of the bookings. */
export async function readOwnIds(
  database: Database,
  bookings: readonly BookingKey[],
): Promise<readonly string[]> {
  const placed = bookings.map((booking, place) => ({ ...booking, place }));
  const { rows } = await sql<{ id: string }>`${prepared}
select ${ownBookingId(referenceOf('b'))} as id
from ${rowsOf(placed, 'b', { ...bookingTypes, place: 'integer' })}
order by b.place`.execute(database);
  return rows.map(({ id }) => id);
}
