import { prepared, rowsOf } from '@waiver-service/database';
import type { BookingKey, Recipients, VisitSession } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { bookingKeyText, bookingTypes, ownBookingId, referenceOf } from '../database/booking-ids.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';

/**
 * A stored response as `json`. A partner's text may contain NUL and lone surrogates, which PostgreSQL's text cannot: they
 * become U+FFFD here, but stay in the stored text. Nothing else is stored with such escapes.
 */
export const responseJson = (fetched: RawBuilder<unknown>): RawBuilder<unknown> => sql`
(case when strpos(${fetched}, '\\u') = 0 then ${fetched}
  else regexp_replace(${fetched}, '\\\\u(0000|d[89a-f]..)', '\\ufffd', 'g') end)::json`;

/** A hash of the part of a response, as `json`, that the booking's waivers follow. */
export const followedHash = (response: RawBuilder<unknown>): RawBuilder<string> => sql`
hashtextextended(concat(${response} #> '{booking,bookedSessions}', ' ', ${response} #> '{booking,guests}'), 0)`;

/*
 * A booking may move while a waiver of it is written. Whoever stores its new response has the booking's waivers follow
 * it, and cannot see one that is not committed yet. So a waiver is written only with the response that it was planned
 * with: its transaction either locks the response before it reads it (`lockBookings`), or has read it before, and its
 * statement locks it and compares (`unchangedBookings`). The response is then replaced after the commit, and the waiver
 * follows. Lock order: waivers before responses, as in `followStoredBooking`.
 */

/** The part of a booking that a waiver's change depends on. */
export interface BookingReading {
  /** Its own id, whichever of its ids was given. */
  readonly ownId: string;
  /** From the last valid response; empty if none is stored. */
  readonly sessions: readonly VisitSession[];
  /** The row of that response, which changes with it; null if none is stored. */
  readonly response: string | null;
}

interface BookingRow extends BookingKey, Omit<BookingReading, 'sessions'> {
  readonly sessions: readonly VisitSession[] | null;
}

/** Looks up the reading of a booking. */
export type ReadingOf = (booking: BookingKey | undefined) => BookingReading;

const unread: BookingReading = { ownId: '', sessions: [], response: null };

async function read(
  database: Database,
  bookings: readonly BookingKey[],
  lock: RawBuilder<unknown>,
): Promise<ReadingOf> {
  const found = new Map<string, BookingReading>();
  if (bookings.length > 0) {
    const wanted = [...new Map(bookings.map((booking) => [bookingKeyText(booking), booking])).values()];
    const { rows } = await sql<BookingRow>`${prepared}
with k as materialized (
  select k.*, ${ownBookingId(referenceOf('k'))} as own_id
  from ${rowsOf(wanted, 'k', bookingTypes)}),
b as materialized (
  select c.pool, c.booking_system, c.booking_id, c.fetched, c.xmin::text as response
  from (select distinct pool, booking_system, own_id from k) o
  join cached_booking c on c.pool = o.pool and c.booking_system = o.booking_system and c.booking_id = o.own_id
  order by c.pool, c.booking_system, c.booking_id ${lock})
select k.pool, k.booking_system, k.booking_id, k.own_id, b.response,
  ${responseJson(sql`b.fetched`)} #> '{booking,bookedSessions}' as sessions
from k left join b on b.pool = k.pool and b.booking_system = k.booking_system and b.booking_id = k.own_id`.execute(
      database,
    );
    for (const { ownId, sessions, response, ...booking } of rows)
      found.set(bookingKeyText(booking), { ownId, sessions: sessions ?? [], response });
  }
  return (booking) => (booking && found.get(bookingKeyText(booking))) ?? unread;
}

/** Reads bookings' own ids, and their sessions from the last valid responses, to be compared when a waiver is written. */
export const readBookings = (database: Database, bookings: readonly BookingKey[]): Promise<ReadingOf> =>
  read(database, bookings, sql``);

/** As {@link readBookings}; the responses stay as they are until the transaction ends. */
export const lockBookings = (
  transaction: DatabaseTransaction,
  bookings: readonly BookingKey[],
): Promise<ReadingOf> => read(transaction, bookings, sql`for share of c`);

/** The reading that a waiver was planned with, for its row; nulls if it was locked, or did not matter. */
export interface PlannedReading {
  readonly plannedBooking: string | null;
  readonly plannedResponse: string | null;
}

export const plannedReadingTypes = { plannedBooking: 'text', plannedResponse: 'text' } as const;

export const plannedWithout: PlannedReading = { plannedBooking: null, plannedResponse: null };

export const plannedWith = ({ ownId, response }: BookingReading): PlannedReading => ({
  plannedBooking: ownId === '' ? null : ownId,
  plannedResponse: response,
});

/** Two common table expressions: `unchanged` has the rows of `given` whose booking is as they were planned with. */
export const unchangedBookings = sql`planned as materialized (
  select c.pool, c.booking_system, c.booking_id, c.xmin::text as response
  from (select distinct pool, booking_system, planned_booking from given where planned_booking is not null) g
  join cached_booking c on c.pool = g.pool and c.booking_system = g.booking_system and c.booking_id = g.planned_booking
  order by c.pool, c.booking_system, c.booking_id for share of c),
unchanged as materialized (
  select s.pool, s.id from given s left join planned p
    on p.pool = s.pool and p.booking_system = s.booking_system and p.booking_id = s.planned_booking
  where s.planned_booking is null or p.response is not distinct from s.planned_response)`;

/** The data of a pool that a change of a waiver needs. */
export interface PoolReading {
  /** Whether the pool exists. */
  readonly known: boolean;
  /** The database's clock, truncated to milliseconds. */
  readonly now: Date;
  readonly recipients: Recipients;
}

interface PoolRow extends Recipients {
  readonly pool: string;
  readonly known: boolean;
  readonly now: Date;
}

/** Reads the recipients of waivers, by pool. */
export async function readRecipients(
  database: Database,
  pools: readonly string[],
): Promise<ReadonlyMap<string, PoolReading>> {
  const { rows } = await sql<PoolRow>`${prepared}
select p.pool, coalesce((select true from pool where id = p.pool), false) as known,
  date_trunc('milliseconds', clock_timestamp()) as now,
  (select coalesce(json_agg(json_build_object('destination', d.id, 'permissionVersion', d.permission_version,
      'bookingSystem', i.booking_system, 'guestId', i.guest_id, 'properties', i.share_properties)), '[]')
    from installation i join destination d on d.id = i.destination_id
    where i.pool = p.pool and i.status = 'installed' and i.takes_guest_updates and d.status <> 'closed') as installations,
  (select coalesce(json_agg(json_build_object('destination', d.id, 'permissionVersion', d.permission_version,
      'properties', w.properties)), '[]')
    from webhook w join destination d on d.id = w.destination_id
    where w.pool = p.pool and d.status <> 'closed') as webhooks
from unnest(${[...new Set(pools)]}::text[]) p (pool)`.execute(database);
  return new Map(
    rows.map(({ pool, known, now, installations, webhooks }) => [
      pool,
      { known, now, recipients: { installations, webhooks } },
    ]),
  );
}
