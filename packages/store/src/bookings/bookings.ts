import type { FetchedBooking } from '@waiver-service/core';
import { sql } from 'kysely';
import type { StoreContext } from '../store-context.ts';
import { parseFetchedBooking } from './fetched-booking.ts';
import type { BookingKey, ReadBooking } from './keep-bookings.ts';
import { longestKept } from './prune-bookings.ts';
import {
  type ClaimedRefreshes,
  claimRefreshes,
  finishRefresh,
  type RefreshClaim,
  type RefreshOutcome,
  type RefreshRequest,
  requestRefresh,
} from './refresh-queue.ts';
import { createBookingSaver } from './save-bookings.ts';

/** The last good answer about each booking, and the queue of those to be read again. */
export interface Bookings {
  /**
   * Keeps an answer that has just come, and puts right the last visit of waivers that had only their time of creation.
   * Nothing is kept where the booking system is no longer installed. Resolves when that is done, a moment later,
   * together with others; of two that wait for one booking, the newer is kept.
   */
  save(booking: ReadBooking): Promise<void>;
  /** The last good answer, if it is younger than 24 hours. Waits for one that is being saved. */
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
  /**
   * Resolves when what is being kept of this booking, or of any where none is named, is kept, or has failed. Whoever asks
   * hastens it.
   */
  settled(booking?: BookingKey): Promise<void>;
}

/**
 * Makes the part of the store that holds bookings.
 *
 * @param onEnqueued told after something that is to be sent was committed.
 */
export function createBookings({ database }: StoreContext, onEnqueued: () => void): Bookings {
  const saver = createBookingSaver(database, onEnqueued);
  return {
    save: (booking) => saver.save(booking),
    async get(pool, bookingSystem, bookingId) {
      await saver.settled({ pool, bookingSystem, bookingId });
      const row = await database
        .selectFrom('cached_booking')
        .select(['fetched', 'fetched_at'])
        .where('pool', '=', pool)
        .where('booking_system', '=', bookingSystem)
        .where('booking_id', '=', bookingId)
        .where('fetched_at', '>', sql<Date>`now() - ${longestKept}`)
        .executeTakeFirst();
      const fetched = row && parseFetchedBooking(row.fetched);
      return fetched && { fetched, fetchedAt: row.fetched_at };
    },
    requestRefresh: (pool, bookingSystem, bookingIds) =>
      requestRefresh(database, pool, bookingSystem, bookingIds),
    claimRefreshes: (claim) => claimRefreshes(database, claim),
    finishRefresh: (request, result) => finishRefresh(database, request, result),
    settled: (booking) => saver.settled(booking),
  };
}
