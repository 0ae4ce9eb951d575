import { bookingForms, bookingSchema, type FetchedBooking, warningCodes } from '@waiver-service/core';
import { sql } from 'kysely';
import { z } from 'zod';
import type { StoreContext } from '../store-context.ts';
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
  /** The last valid response, if it is younger than 24 hours. */
  get(
    pool: string,
    bookingSystem: string,
    bookingId: string,
  ): Promise<{ fetched: FetchedBooking; fetchedAt: Date } | undefined>;
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
  return {
    save: (booking) => writer.save(booking),
    saveSoon: (booking, settingsVersion) => writer.saveSoon(booking, settingsVersion),
    async get(pool, bookingSystem, bookingId) {
      await writer.flush({ pool, bookingSystem, bookingId });
      const row = await database
        .selectFrom('cached_booking')
        .select(['fetched', 'fetched_at'])
        .where('pool', '=', pool)
        .where('booking_system', '=', bookingSystem)
        .where('booking_id', '=', bookingId)
        .where('fetched_at', '>', sql<Date>`now() - ${maxBookingAge}`)
        .executeTakeFirst();
      const fetched = row && parseFetchedBooking(row.fetched);
      return fetched && { fetched, fetchedAt: row.fetched_at };
    },
    requestRefresh: (pool, bookingSystem, bookingIds, message) =>
      requestRefresh(database, pool, bookingSystem, bookingIds, message),
    claimRefreshes: (claim) => claimRefreshes(database, claim),
    finishRefresh: (request, result) => finishRefresh(database, request, result),
  };
}
