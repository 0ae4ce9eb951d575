import { isBookingSystemError } from '@waiver-service/core';
import { type RefreshPosition, type RefreshRequest, refreshWaitMs } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { type BackgroundWork, createBackgroundLoop } from '../background/background-loop.ts';
import type { BookingReader } from '../booking-reading/booking-reader.ts';
import type { BookingSources } from '../booking-reading/booking-sources.ts';
import { heldBackFor } from '../booking-reading/read-breaker.ts';
import type { Log, Store } from '../given.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { refreshShares } from './refresh-shares.ts';

const pollMs = 2_000;
const leaseMs = 60_000;

// Retrying does not bring back a deleted booking or installation.
const isFinal = (error: unknown) =>
  error instanceof HttpProblem || (isBookingSystemError(error) && !error.retryable);

const isGone = (error: unknown) => isBookingSystemError(error) && error.code === 'booking_not_found';

export type BookingRefresh = BackgroundWork;
export const BookingRefresh: ServiceIdentifier<BookingRefresh> = Symbol('BookingRefresh');

/**
 * Creates the background reader of this process; several processes share the work. Each installation has its share of
 * the reads, so that a booking system that does not respond delays only its own bookings.
 */
export function createBookingRefresh({
  store: { bookings, unmatchedWaivers },
  bookingReader,
  bookingSources,
  log,
}: {
  readonly store: Store;
  readonly bookingReader: BookingReader;
  readonly bookingSources: BookingSources;
  readonly log: Log;
}): BackgroundWork {
  const loop = createBackgroundLoop(run);
  const { signal } = loop;
  const underWay = new Map<RefreshRequest, Promise<void>>();

  async function read(request: RefreshRequest): Promise<void> {
    const { pool, bookingSystem, bookingId, attempts } = request;
    try {
      await bookingReader.readNow({ pool, bookingSystem, bookingId, signal, afterChange: true });
      await bookings.finishRefresh(request, { outcome: 'done' });
    } catch (error) {
      // Its lease expires, and another process takes it.
      if (signal.aborted) return;
      const heldBackMs = heldBackFor(error);
      if (heldBackMs !== undefined) {
        return bookings.finishRefresh(request, { outcome: 'postponed', waitMs: Math.ceil(heldBackMs) });
      }
      log.info({ err: error, pool, bookingSystem, attempts }, 'a booking could not be read again');
      if (isGone(error)) await unmatchedWaivers.noteGone({ pool, bookingSystem, bookingId });
      await bookings.finishRefresh(
        request,
        isFinal(error) ? { outcome: 'done' } : { outcome: 'failed', waitMs: refreshWaitMs(attempts) },
      );
    }
  }

  function begin(request: RefreshRequest): void {
    const reading = read(request)
      .catch((error: unknown) => {
        if (!signal.aborted)
          log.error({ err: error }, 'the outcome of reading a booking again could not be stored');
      })
      .finally(() => {
        underWay.delete(request);
        loop.wake();
      });
    underWay.set(request, reading);
  }

  async function run(): Promise<void> {
    let after: RefreshPosition | undefined;
    while (!signal.aborted) {
      const shares = refreshShares({ underWay: [...underWay.keys()], failing: bookingSources.failing() });
      let isAllSeen = true;
      if (shares.limit > 0) {
        try {
          const claimed = await bookings.claimRefreshes({ ...shares, leaseMs, after });
          for (const request of claimed.requests) begin(request);
          ({ after } = claimed);
          isAllSeen = after === undefined;
        } catch (error) {
          if (!signal.aborted) log.error({ err: error }, 'reading changed bookings again failed');
        }
      }
      if (isAllSeen || underWay.size > 0) await loop.sleep(pollMs);
    }
    await Promise.all(underWay.values());
  }

  return loop;
}
