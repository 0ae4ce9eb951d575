import type { FetchedBooking } from '@waiver-service/core';
import { batchCalls } from '@waiver-service/database';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { bookingValue, ownBookingId, readOwnIds } from '../database/booking-ids.ts';
import type { StoreContext, StoreEvent } from '../store-context.ts';
import { type AliasOutcome, addBookingAlias, type NewAlias } from './add-booking-alias.ts';
import { createBookingWriter } from './booking-writer.ts';
import { listUpcoming } from './list-upcoming.ts';
import { claimRefreshes, finishRefresh, requestRefresh } from './refresh-queue.ts';
import { maxBookingAge, parseFetchedBooking } from './stored-booking.ts';

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
