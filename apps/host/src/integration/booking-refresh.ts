import { isBookingSystemError } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { BookingReader } from '../booking-reading/index.ts';
import { HttpProblem } from '../http/http-problem.ts';

const pollMs = 2_000;
const leaseMs = 60_000;
const batch = 8;
// How long after each failed try the next one comes; the store gives up after five.
const waits = [10_000, 60_000, 300_000, 1_800_000];

type RefreshRequest = Awaited<ReturnType<Store['bookings']['claimRefreshes']>>[number];

/** Reads bookings again that a booking system said have changed. */
export interface BookingRefresh {
  start(): void;
  /** Looks now instead of at the next poll. */
  wake(): void;
  /** Gives up what is being read (it stays in the queue) and ends. */
  stop(): Promise<void>;
}

/** What the background reader needs. */
export interface BookingRefreshParts {
  readonly bookings: Pick<Store['bookings'], 'claimRefreshes' | 'finishRefresh'>;
  readonly bookingReader: Pick<BookingReader, 'readNow'>;
  readonly log: FastifyBaseLogger;
}

// A booking or an installation that is gone will not come back by asking again.
const isFinal = (error: unknown) =>
  error instanceof HttpProblem || (isBookingSystemError(error) && !error.retryable);

/** The background reader of this process; several processes share the work. */
export function createBookingRefresh({ bookings, bookingReader, log }: BookingRefreshParts): BookingRefresh {
  const stopping = new AbortController();
  let awaken: () => void = () => {};
  let running: Promise<void> | undefined;

  async function refresh(request: RefreshRequest): Promise<void> {
    const { pool, bookingSystem, bookingId, attempts } = request;
    try {
      await bookingReader.readNow({ pool, bookingSystem, bookingId, signal: stopping.signal });
      await bookings.finishRefresh(request, { ok: true });
    } catch (error) {
      // Its lease runs out and another process takes it.
      if (stopping.signal.aborted) return;
      log.info({ err: error, pool, bookingSystem, attempts }, 'a booking could not be read again');
      const wait = waits[Math.min(Math.max(attempts - 1, 0), waits.length - 1)] ?? pollMs;
      await bookings.finishRefresh(request, isFinal(error) ? { ok: true } : { ok: false, waitMs: wait });
    }
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      awaken = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopping.signal.aborted) awaken();
    });

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let found = 0;
      try {
        const requests = await bookings.claimRefreshes(batch, leaseMs);
        found = requests.length;
        await Promise.all(requests.map(refresh));
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'reading changed bookings again failed');
      }
      if (found < batch) await pause();
    }
  }

  return {
    start() {
      running ??= run();
    },
    wake: () => awaken(),
    async stop() {
      stopping.abort();
      awaken();
      await running;
    },
  };
}
