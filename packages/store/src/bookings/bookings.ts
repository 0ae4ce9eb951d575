import type { FetchedBooking } from '@waiver-service/core';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { StoreContext } from '../store-context.ts';
import { correctLastVisit } from '../waivers/index.ts';
import { parseFetchedBooking } from './fetched-booking.ts';
import { longestKept } from './prune-bookings.ts';
import { claimRefreshes, finishRefresh, type RefreshRequest, requestRefresh } from './refresh-queue.ts';

/** A booking that was read. */
export interface ReadBooking {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
  readonly fetched: FetchedBooking;
}

/** The last good answer about each booking, and the queue of those to be read again. */
export interface Bookings {
  /**
   * Keeps an answer, and puts right the last visit of waivers that had only their time of creation. Nothing is kept
   * where the booking system is no longer installed.
   */
  save(booking: ReadBooking): Promise<void>;
  /** The last good answer, if it is younger than 24 hours. */
  get(
    pool: string,
    bookingSystem: string,
    bookingId: string,
  ): Promise<{ fetched: FetchedBooking; fetchedAt: Date } | undefined>;
  requestRefresh(pool: string, bookingSystem: string, bookingIds: readonly string[]): Promise<void>;
  claimRefreshes(limit: number, leaseMs: number): Promise<RefreshRequest[]>;
  finishRefresh(
    request: RefreshRequest,
    result: { readonly ok: boolean; readonly waitMs?: number },
  ): Promise<void>;
}

/**
 * Makes the part of the store that holds bookings.
 *
 * @param onEnqueued told after something that is to be sent was committed.
 */
export function createBookings({ database }: StoreContext, onEnqueued: () => void): Bookings {
  return {
    async save(booking) {
      const { pool, bookingSystem, bookingId, fetched } = booking;
      const sessions = fetched.booking.bookedSessions;
      const corrected = await retryDeadlock(() =>
        database.transaction().execute(async (transaction) => {
          if (!(await keep(transaction, booking))) return 0;
          return correctLastVisit(transaction, { pool, bookingSystem, bookingId, sessions });
        }),
      );
      if (corrected > 0) onEnqueued();
    },
    async get(pool, bookingSystem, bookingId) {
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
    claimRefreshes: (limit, leaseMs) => claimRefreshes(database, limit, leaseMs),
    finishRefresh: (request, result) => finishRefresh(database, request, result),
  };
}

// The installation's lock keeps an answer that was on its way from outliving an uninstall.
async function keep(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, bookingId, fetched }: ReadBooking,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with installed as materialized (
      select pool, booking_system from installation
      where pool = ${pool} and booking_system = ${bookingSystem} and status = 'installed' for share
    )
    insert into cached_booking (pool, booking_system, booking_id, fetched, fetched_at)
    select pool, booking_system, ${bookingId}, ${JSON.stringify(fetched)}, date_trunc('milliseconds', now()) from installed
    on conflict (pool, booking_system, booking_id)
    do update set fetched = excluded.fetched, fetched_at = excluded.fetched_at`.execute(transaction);
  return numAffectedRows === 1n;
}
