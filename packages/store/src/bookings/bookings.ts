import type { FetchedBooking } from '@waiver-service/core';
import { batchCalls } from '@waiver-service/database';
import type { BookingKey } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { bookingValue, ownBookingId, readOwnIds } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';
import type { StoreContext, StoreEvent } from '../store-context.ts';
import { type AliasOutcome, addBookingAlias, type NewAlias } from './add-booking-alias.ts';
import { createBookingWriter } from './booking-writer.ts';
import { claimRefreshes, finishRefresh, requestRefresh } from './refresh-queue.ts';
import { maxBookingAge, parseFetchedBooking } from './stored-bookings.ts';

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
async function listUpcoming(
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

/** A stored response. */
export interface StoredBooking {
  /** The booking's own id. */
  readonly bookingId: string;
  readonly fetched: FetchedBooking;
  readonly fetchedAt: Date;
}

/** The last valid response for each booking, and the queue of bookings to read again. */
export interface Bookings extends ReturnType<typeof createBookings> {}

export function createBookings(context: StoreContext, onNotice: (event: StoreEvent) => void) {
  const { database } = context;
  const { save, saveIfNew, forget } = createBookingWriter(context, onNotice);
  return {
    save,
    saveIfNew,

    /** The booking's own id: the given one, unless that is known to be an alias. Concurrent calls are batched. */
    ownId: batchCalls<BookingKey, string>({
      maxBatchSize: 256,
      async run(bookings) {
        const found = await readOwnIds(database, bookings);
        return found.map((value) => ({ status: 'fulfilled', value }));
      },
    }),

    /** Other ids that the booking is known by, at most 100. @param booking by its own id */
    async aliases({ pool, bookingSystem, bookingId }: BookingKey): Promise<readonly string[]> {
      const rows = await database
        .selectFrom('bookingAlias')
        .select('alias')
        .where('pool', '=', pool)
        .where('bookingSystem', '=', bookingSystem)
        .where('bookingId', '=', bookingId)
        .orderBy('alias')
        .limit(100)
        .execute();
      return rows.map(({ alias }) => alias);
    },

    /** See {@link addBookingAlias}. */
    async addAlias(alias: NewAlias): Promise<AliasOutcome> {
      const outcome = await addBookingAlias(database, alias);
      // Has the next response stored, so that waivers signed under the alias follow it.
      forget(alias);
      return outcome;
    },

    /** The last valid response, by any id of the booking, if it is younger than 24 hours. */
    async get(pool: string, bookingSystem: string, bookingId: string): Promise<StoredBooking | undefined> {
      const own = ownBookingId(bookingValue({ pool, bookingSystem, bookingId }));
      const row = await database
        .selectFrom('cachedBooking')
        .select(['bookingId', 'fetched', 'fetchedAt'])
        .where('pool', '=', pool)
        .where('bookingSystem', '=', bookingSystem)
        .where('bookingId', '=', own)
        .where('fetchedAt', '>', sql<Date>`now() - ${maxBookingAge}`)
        .executeTakeFirst();
      const fetched = row && parseFetchedBooking(row.fetched);
      return fetched && { ...row, fetched };
    },

    listUpcoming: listUpcoming.bind(undefined, database),
    requestRefresh: requestRefresh.bind(undefined, database),
    claimRefreshes: claimRefreshes.bind(undefined, database),
    finishRefresh: finishRefresh.bind(undefined, database),
  };
}
