import type { FetchedBooking } from '@waiver-service/core';
import type { PoolSetup } from '@waiver-service/store';
import type { FailingSource } from './read-breaker.ts';

/** Which booking to read, and for whom. */
export interface BookingReadRequest {
  /** The pool as it is set up at this request. */
  readonly setup: PoolSetup;
  /** Install name; the pool's default booking system where it is left out. */
  readonly bookingSystem?: string | undefined;
  readonly bookingId: string;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

/** The same for the pool with an id. */
export interface PoolBookingRequest extends Omit<BookingReadRequest, 'setup'> {
  readonly pool: string;
  /** Asks the booking system also where its reads are held back: a person wants to see what it says. */
  readonly evenIfFailing?: boolean;
}

/** A booking, and when the booking system gave it. */
export interface BookingReading {
  readonly bookingSystem: string;
  readonly fetched: FetchedBooking;
  readonly fetchedAt: Date;
  /** True where the booking system could not answer now and this is its last good answer. */
  readonly stale: boolean;
}

/** Reads bookings of the booking systems that are installed for a pool (contract 4.1). */
export interface BookingReader {
  /**
   * The booking as the booking system gives it now or, while it is down (time-out, 5xx, 429, unreachable), as it last
   * gave it within 24 hours. A booking system that has failed five times in a row within a minute is not asked for 15
   * seconds: the last booking, or the last error, comes at once. Concurrent reads of one booking share one request.
   * @throws HttpProblem 404 `unknown_booking_system`, 409 `booking_system_ambiguous` or
   * `booking_system_not_configured`, 424 `not_installed`
   * @throws BookingSystemError what the booking system answered instead of a booking
   */
  read(request: BookingReadRequest): Promise<BookingReading>;
  /**
   * The booking as the booking system gives it now, once it is saved. Throws as
   * {@link BookingReader.read} does.
   * @throws ReadHeldBack where the booking system is not asked at present
   */
  readNow(request: PoolBookingRequest): Promise<BookingReading>;
  /** The installations whose last read, by this process, failed. */
  failing(): readonly FailingSource[];
}
