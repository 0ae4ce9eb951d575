import type { FetchedBooking } from '@waiver-service/core';
import type { CallTrace } from '@waiver-service/outbound';
import type { PoolSetup } from '@waiver-service/store';
import type { FailingSource } from './read-breaker.ts';

/** The booking to read, and the pool to read it for. */
export interface BookingReadRequest {
  /** The pool's configuration at this request. */
  readonly setup: PoolSetup;
  /** Install name; the pool's default booking system if omitted. */
  readonly bookingSystem?: string | undefined;
  readonly bookingId: string;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Follows the requests, which are then shared with no other caller. */
  readonly trace?: CallTrace | undefined;
}

/** A request with the pool's id instead of its configuration. */
export interface PoolBookingRequest extends Omit<BookingReadRequest, 'setup'> {
  readonly pool: string;
  /** Reads even if reads of the booking system are held back, because an operator wants to see the response. */
  readonly evenIfFailing?: boolean;
}

/** A booking, and when the booking system returned it. */
export interface BookingReading {
  readonly bookingSystem: string;
  /** The booking's own id, whichever one it was asked for by. */
  readonly bookingId: string;
  readonly fetched: FetchedBooking;
  readonly fetchedAt: Date;
  /** Whether the booking system is down and this is its last valid response. */
  readonly stale: boolean;
  /** Why there is no newer response, if it is stale. */
  readonly failure?: unknown;
}

/** Reads bookings from the booking systems installed for a pool (contract 4.1). */
export interface BookingReader {
  /**
   * The booking as the booking system gives it now or, while it is down (time-out, 5xx, 429, unreachable), as it last
   * gave it within 24 hours. A booking system that has failed five times in a row within a minute is not asked for 15
   * seconds: the last booking, or the last error, comes at once. Concurrent reads of one booking, by whichever
   * of its known ids, share one request.
   * @throws HttpProblem 404 `unknown_booking_system`, 409 `booking_system_ambiguous` or
   * `booking_system_not_configured`, 424 `not_installed`
   * @throws BookingSystemError what the booking system answered instead of a booking
   */
  read(request: BookingReadRequest): Promise<BookingReading>;
  /**
   * Reads the booking and resolves when it is stored. Throws as {@link BookingReader.read} does.
   * @throws ReadHeldBack if reads of the booking system are held back
   */
  readNow(request: PoolBookingRequest): Promise<BookingReading>;
  /** The installations whose last read by this process failed. */
  failing(): readonly FailingSource[];
}
