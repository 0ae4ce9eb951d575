import {
  type BookingSystemPlugin,
  bookingIdSchema,
  type FetchedBooking,
  InvalidBookingResponse,
} from '@waiver-service/core';
import { unknownPool } from '@waiver-service/http';
import type { CallTrace } from '@waiver-service/outbound';
import type { PoolSetup, Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import type { BookingSource, BookingSources } from './booking-sources.ts';
import { allowsStaleBooking, ReadHeldBack } from './read-breaker.ts';

/*
 * The wrappers of a read, outermost first. Listing bookings has the same steps from `admit` on, without `coalesce`.
 *
 *   withLastGoodBooking   here                        the last good answer while the booking system is down
 *   admit                 booking-sources.ts          refuses while the booking system is held or the breaker is open
 *   coalesce              here                        concurrent reads of one booking share a request
 *   withBreaker           booking-sources.ts          counts failures in a row
 *   withHold              booking-sources.ts          shares a Retry-After with all hosts, and alerts on a rejected key
 *   withDeadline          booking-sources.ts          limits the whole, however many requests the plugin makes
 *   plugin.fetchBooking   plugin-kit, the plugin      defineBookingSystem judges answers, checks and redacts the result
 *
 * and around each request that the plugin makes:
 *
 *   withSession           outbound/http/axios-client.ts   a token, renewed once if it is refused
 *   withRequestBudget     connect-booking-system.ts   waits for a turn within the vendor's limits
 *   authenticate          outbound/http               adds credentials, out of the plugin's sight
 *   exchangeOnce          outbound/transport          guarded address, one timeout, one size limit
 */

/** The booking to read, and the pool to read it for. */
export interface BookingReadRequest {
  /** The pool's configuration at this request. */
  readonly setup: PoolSetup;
  /** Install name; the pool's default booking system if omitted. */
  readonly bookingSystem?: string | undefined;
  readonly bookingId: string;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Traces the requests, which are then shared with no other caller. */
  readonly trace?: CallTrace | undefined;
}

/** A request with the pool's id instead of its configuration. */
export interface PoolBookingRequest extends Omit<BookingReadRequest, 'setup'> {
  readonly pool: string;
  /** Reads even while reads of the booking system are held back: an operator wants to see the response. */
  readonly evenIfFailing?: boolean;
  /** Joins no request in flight: its answer may predate the change that this read must see. */
  readonly afterChange?: boolean;
}

/** A booking, and when the booking system returned it or, if stale, when it was requested. */
export interface BookingReading {
  readonly bookingSystem: string;
  /** The booking's own id, whichever one was requested. */
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
   * The booking as the booking system returns it now or, while it is down (time-out, 5xx, 429, unreachable), its last
   * response within 24 hours. After five failures in a row within a minute, no request is made for 15 seconds: the
   * last booking, or the last error, is returned at once. Concurrent reads of one booking, by any of its known ids,
   * share one request.
   * @throws HttpProblem 404 `unknown_booking_system`, 409 `booking_system_ambiguous` or
   * `booking_system_not_configured`, 424 `not_installed`
   * @throws BookingSystemError if the response is not a booking
   */
  read(request: BookingReadRequest): Promise<BookingReading>;
  /**
   * Reads the booking and resolves when it is stored. Throws as {@link BookingReader.read} does.
   * @throws ReadHeldBack if reads of the booking system are held back
   */
  readNow(request: PoolBookingRequest): Promise<BookingReading>;
}
export const BookingReader: ServiceIdentifier<BookingReader> = Symbol('BookingReader');

export interface BookingReaderOptions {
  readonly store: Pick<Store, 'pools' | 'bookings'>;
  readonly sources: BookingSources;
}

/** A booking as it was just read. */
interface FreshReading {
  readonly reading: BookingReading;
  /** By this process's monotonic clock. */
  readonly requestedAt: number;
  /** False if the same response was stored a moment ago, or if storing failed. */
  readonly isStored: boolean;
}

/** The part that coalesced reads have in common. */
type SharedRead = Pick<PoolBookingRequest, 'bookingId' | 'evenIfFailing' | 'trace'>;

type CoalescedRead = SharedRead & Pick<PoolBookingRequest, 'afterChange' | 'signal'>;

/**
 * The booking's own id: the response's, if the booking system has several ids for a booking; otherwise the requested one.
 */
export function ownIdOf(
  { capabilities }: BookingSystemPlugin,
  { booking }: FetchedBooking,
  requestedId: string,
): string {
  if (capabilities.aliases !== true || booking.id === requestedId) return requestedId;
  const { data, error } = bookingIdSchema.safeParse(booking.id);
  if (data !== undefined) return data;
  throw new InvalidBookingResponse(`The booking’s own id is malformed: ${z.prettifyError(error)}`);
}

/** The {@link BookingReader} of this process. */
export function createBookingReader({ store, sources }: BookingReaderOptions): BookingReader {
  const flights = createSingleFlight<FreshReading>();

  /** Returns the last good booking while the booking system is down; none older than 24 hours is stored. */
  async function withLastGoodBooking(
    { pool, bookingSystem }: BookingSource,
    bookingId: string,
    read: () => Promise<BookingReading>,
  ): Promise<BookingReading> {
    try {
      return await read();
    } catch (thrown) {
      const failure = thrown instanceof ReadHeldBack ? thrown.lastError : thrown;
      if (!allowsStaleBooking(failure)) throw failure;
      const last = await store.bookings.get(pool, bookingSystem, bookingId);
      if (!last) throw failure;
      const { fetched, fetchedAt } = last;
      return { bookingSystem, bookingId: last.bookingId, fetched, fetchedAt, stale: true, failure };
    }
  }

  /** Shares the request with concurrent reads of the same booking, unless it is traced or follows a change. */
  async function coalesce(source: BookingSource, request: CoalescedRead): Promise<FreshReading> {
    const { bookingId: requestedId, evenIfFailing, afterChange = false, signal, trace } = request;
    const { pool, bookingSystem, version, connection } = source;
    const bookingId = connection.plugin.capabilities.aliases
      ? await store.bookings.ownId({ pool, bookingSystem, bookingId: requestedId })
      : requestedId;
    if (trace !== undefined || afterChange)
      return fetchAndSave(source, { bookingId, evenIfFailing, trace }, signal);
    // A read that began before a change of the settings is not shared with later callers.
    const key = JSON.stringify([pool, bookingSystem, version, bookingId, evenIfFailing]);
    const shared = { bookingId, evenIfFailing };
    return flights.run(key, signal, (flightSignal) => fetchAndSave(source, shared, flightSignal));
  }

  async function fetchAndSave(
    source: BookingSource,
    { bookingId, evenIfFailing = false, trace }: SharedRead,
    signal: AbortSignal,
  ): Promise<FreshReading> {
    const { pool, bookingSystem, version, connection } = source;
    const requestedAt = performance.now();
    const fetched = await sources.ask({
      source,
      signal,
      evenIfFailing,
      trace,
      ask: (context) => connection.plugin.fetchBooking(context, bookingId),
    });
    const ownId = ownIdOf(connection.plugin, fetched, bookingId);
    const alias = ownId === bookingId ? undefined : bookingId;
    const queried = connection.installation;
    // Before the answer is stored or returned, so that its readers find the waivers of both ids.
    if (alias !== undefined)
      await store.bookings.addAlias({ pool, bookingSystem, bookingId: ownId, alias, queried });
    const fetchedAt = new Date();
    const booking = { pool, bookingSystem, bookingId: ownId, queried, requestedAt, fetched };
    const isStored = await store.bookings.saveIfNew(booking, version);
    const reading = { bookingSystem, bookingId: ownId, fetched, fetchedAt, stale: false };
    return { reading, requestedAt, isStored };
  }

  return {
    async read({ setup, bookingSystem, bookingId, signal, trace }) {
      const source = await sources.sourceFor(setup, bookingSystem);
      return withLastGoodBooking(source, bookingId, async () => {
        sources.admit(source);
        const { reading } = await coalesce(source, { bookingId, signal, trace });
        return reading;
      });
    },

    async readNow(request) {
      const setup = await store.pools.setup(request.pool);
      if (setup === undefined) throw unknownPool(request.pool);
      const source = await sources.sourceFor(setup, request.bookingSystem);
      if (request.evenIfFailing !== true) sources.admit(source);
      const { reading, requestedAt, isStored } = await coalesce(source, request);
      const { fetched, bookingSystem, bookingId } = reading;
      const { pool } = request;
      const queried = source.connection.installation;
      // Another host may have stored something else since the same response was stored.
      if (!isStored)
        await store.bookings.save({ pool, bookingSystem, bookingId, queried, requestedAt, fetched });
      return reading;
    },
  };
}

/** Shares work between concurrent callers with the same key. */
export interface SingleFlight<Result> {
  /**
   * Joins the running work of this key, or starts it. Only the caller whose signal aborts is rejected; the work's own
   * signal aborts when the last caller has left.
   */
  run(
    key: string,
    callerSignal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

interface Flight<Result> {
  /** Undefined when it has ended. */
  result: Promise<Result> | undefined;
  readonly abandon: AbortController;
  callers: number;
}

/** A {@link SingleFlight} within this process. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();

  function end(key: string, flight: Flight<Result>): void {
    if (flights.get(key) === flight) flights.delete(key);
    // The map's outgrown tables keep the flight alive until a major garbage collection: release its result now.
    flight.result = undefined;
  }

  function start(key: string, work: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const abandon = new AbortController();
    const flight: Flight<Result> = { abandon, callers: 0, result: undefined };
    const result = work(abandon.signal).finally(() => end(key, flight));
    // Callers get the rejection; avoid unhandledRejection when all of them have left.
    result.catch(() => undefined);
    flight.result = result;
    flights.set(key, flight);
    return flight;
  }

  return {
    run(key, callerSignal, work) {
      if (callerSignal.aborted) return Promise.reject(callerSignal.reason);
      const flight = flights.get(key) ?? start(key, work);
      flight.callers += 1;
      return new Promise<Result>((resolve, reject) => {
        const leave = () => {
          flight.callers -= 1;
          if (flight.callers === 0) {
            // New callers must not join aborted work.
            if (flights.get(key) === flight) flights.delete(key);
            flight.abandon.abort(callerSignal.reason);
          }
          reject(callerSignal.reason);
        };
        callerSignal.addEventListener('abort', leave, { once: true });
        flight.result?.then(resolve, reject).finally(() => callerSignal.removeEventListener('abort', leave));
      });
    },
  };
}
