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
  type RefreshClaim,
  type RefreshOutcome,
  type RefreshRequest,
  requestRefresh,
} from './refresh-queue.ts';
import type { ReadBooking } from './upsert-bookings.ts';

/** The last good answer about each booking, and the queue of those to be read again. */
export interface Bookings {
  /**
   * Saves an answer that has just come, and corrects the last visit of waivers that had only their time of creation.
   * Nothing is saved where the booking system is no longer installed. Resolves when that is done.
   */
  save(booking: ReadBooking): Promise<void>;
  /**
   * The same without the caller waiting for it, at most once in ten minutes while the answer and the version of the
   * set-up by which it was read stay the same. Whoever asks this store about the booking or its waivers finds the
   * answer at once, and the store's `close` saves it. A failure is a notice.
   */
  saveSoon(booking: ReadBooking, settingsVersion: string): Promise<void>;
  /** The last good answer, if it is younger than 24 hours. */
  get(
    pool: string,
    bookingSystem: string,
    bookingId: string,
  ): Promise<{ fetched: FetchedBooking; fetchedAt: Date } | undefined>;
  requestRefresh(pool: string, bookingSystem: string, bookingIds: readonly string[]): Promise<void>;
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

/** Parses a stored answer; undefined where another release stored it in another form. */
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

/** Makes the part of the store that holds bookings. */
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
    requestRefresh: (pool, bookingSystem, bookingIds) =>
      requestRefresh(database, pool, bookingSystem, bookingIds),
    claimRefreshes: (claim) => claimRefreshes(database, claim),
    finishRefresh: (request, result) => finishRefresh(database, request, result),
  };
}
