import type { ReadBooking, Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';

// Each is held in memory meanwhile.
const mostUnsaved = 256;

/** Keeps the answers of booking systems for later. */
export interface Saving {
  /** Begins to keep an answer. What comes of it may be left alone: a failure is logged. */
  begin(booking: ReadBooking): Promise<void>;
  /** Whether so many are still to be kept that whoever brings more should wait. */
  readonly isBehind: boolean;
}

/** What keeping needs. */
export interface SavingParts {
  readonly bookings: Pick<Store['bookings'], 'save'>;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/** The {@link Saving} of this process. */
export function createSaving({ bookings, log }: SavingParts): Saving {
  let unsaved = 0;
  return {
    get isBehind() {
      return unsaved >= mostUnsaved;
    },
    begin(booking) {
      unsaved += 1;
      const saved = bookings.save(booking);
      saved
        .catch((error: unknown) => {
          const { pool, bookingSystem, bookingId } = booking;
          log.warn({ err: error, pool, bookingSystem, bookingId }, 'a booking could not be kept for later');
        })
        .finally(() => {
          unsaved -= 1;
        });
      return saved;
    },
  };
}
