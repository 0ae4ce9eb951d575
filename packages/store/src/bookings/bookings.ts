import { bookingForms, bookingSchema, type FetchedBooking, warningCodes } from '@waiver-service/core';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { z } from 'zod';
import { batchCalls } from '../database/batch-calls.ts';
import type { StoreContext } from '../store-context.ts';
import { type AliasOutcome, addBookingAlias, type NewAlias } from './add-booking-alias.ts';
import { bookingValue, ownBookingId, readOwnIds } from './booking-ids.ts';
import type { BookingWriter } from './booking-writer.ts';
import { maxBookingAge } from './prune-bookings.ts';
import {
  type ClaimedRefreshes,
  claimRefreshes,
  finishRefresh,
  type InboundMessage,
  type RefreshClaim,
  type RefreshOutcome,
  type RefreshRequest,
  requestRefresh,
} from './refresh-queue.ts';
import type { ReadBooking } from './upsert-bookings.ts';

/** A response, and when it came. */
export interface StoredBooking {
  /** The booking's own id. */
  readonly bookingId: string;
  readonly fetched: FetchedBooking;
  readonly fetchedAt: Date;
}

/** The last valid response for each booking, and the queue of bookings to read again. */
export interface Bookings {
  /**
   * Stores a response, and corrects the last visit of waivers that had only their time of creation. Stores nothing if
   * the booking system is no longer installed.
   */
  save(booking: ReadBooking): Promise<void>;
  /**
   * Like `save`, in the background, at most once in ten minutes while the response and the version of the configuration
   * it was read with stay the same. Queries of this store for the booking or its waivers include the response at once,
   * and the store's `close` stores it. Failures are reported as notices.
   */
  saveSoon(booking: ReadBooking, settingsVersion: string): Promise<void>;
  /** The booking's own id: the given one, unless that is known to be an alias. Concurrent calls are batched. */
  ownId(booking: BookingKey): Promise<string>;
  /** Other ids that the booking is known by, at most 100. @param booking by its own id */
  aliases(booking: BookingKey): Promise<readonly string[]>;
  /** See {@link addBookingAlias}. */
  addAlias(alias: NewAlias): Promise<AliasOutcome>;
  /** The last valid response, by any id of the booking, if it is younger than 24 hours. */
  get(pool: string, bookingSystem: string, bookingId: string): Promise<StoredBooking | undefined>;
  /** See {@link requestRefresh}. */
  requestRefresh(
    pool: string,
    bookingSystem: string,
    bookingIds: readonly string[],
    message?: InboundMessage,
  ): Promise<void>;
  /** See {@link claimRefreshes}. */
  claimRefreshes(claim: RefreshClaim): Promise<ClaimedRefreshes>;
  /** See {@link finishRefresh}. */
  finishRefresh(request: RefreshRequest, result: RefreshOutcome): Promise<void>;
}

const fetchedSchema = z.object({
  form: z.enum(bookingForms),
  booking: bookingSchema,
  warnings: z.array(
    z.object({ code: z.enum(warningCodes), path: z.string().optional(), message: z.string() }),
  ),
});

/** Parses a stored response; undefined if another release stored it in another form. */
function parseFetchedBooking(text: string): FetchedBooking | undefined {
  const { data } = fetchedSchema.safeParse(JSON.parse(text));
  if (data === undefined) return undefined;
  const { form, booking, warnings } = data;
  return {
    form,
    booking,
    warnings: warnings.map(({ path, ...warning }) => (path === undefined ? warning : { ...warning, path })),
  };
}

/** Creates the part of the store for bookings. */
export function createBookings({ database }: StoreContext, writer: BookingWriter): Bookings {
  const ownId = batchCalls<BookingKey, string>({
    maxBatchSize: 256,
    async run(bookings) {
      const found = await readOwnIds(database, bookings);
      return found.map((value) => ({ status: 'fulfilled', value }));
    },
  });
  return {
    save: (booking) => writer.save(booking),
    saveSoon: (booking, settingsVersion) => writer.saveSoon(booking, settingsVersion),
    ownId,
    async aliases({ pool, bookingSystem, bookingId }) {
      const { rows } = await sql<{ alias: string }>`
select alias from booking_alias
where pool = ${pool} and booking_system = ${bookingSystem} and booking_id = ${bookingId}
order by alias limit 100`.execute(database);
      return rows.map(({ alias }) => alias);
    },
    async addAlias(alias) {
      const outcome = await addBookingAlias(database, alias);
      // Waivers that were signed under the alias take their last visit from it.
      writer.forget(alias);
      return outcome;
    },
    async get(pool, bookingSystem, bookingId) {
      await writer.flush({ pool, bookingSystem, bookingId });
      const own = ownBookingId(bookingValue({ pool, bookingSystem, bookingId }));
      const row = await database
        .selectFrom('cached_booking')
        .select(['booking_id', 'fetched', 'fetched_at'])
        .where('pool', '=', pool)
        .where('booking_system', '=', bookingSystem)
        .where('booking_id', '=', own)
        .where('fetched_at', '>', sql<Date>`now() - ${maxBookingAge}`)
        .executeTakeFirst();
      const fetched = row && parseFetchedBooking(row.fetched);
      return fetched && { bookingId: row.booking_id, fetched, fetchedAt: row.fetched_at };
    },
    requestRefresh: (pool, bookingSystem, bookingIds, message) =>
      requestRefresh(database, pool, bookingSystem, bookingIds, message),
    claimRefreshes: (claim) => claimRefreshes(database, claim),
    finishRefresh: (request, result) => finishRefresh(database, request, result),
  };
}
