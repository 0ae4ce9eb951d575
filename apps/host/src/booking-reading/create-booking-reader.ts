import {
  type BookingSystemPlugin,
  bookingIdSchema,
  type FetchedBooking,
  InvalidBookingResponse,
  isBookingSystemError,
  RateLimited,
} from '@waiver-service/core';
import { holdsOf, outcomeOf } from '@waiver-service/delivery';
import type { PoolSetup, Store } from '@waiver-service/store';
import { z } from 'zod';
import type {
  BookingSystemConnection,
  BookingSystemConnector,
} from '../booking-systems/booking-system-connection.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import type {
  BookingReader,
  BookingReading,
  BookingReadRequest,
  PoolBookingRequest,
} from './booking-reader.ts';
import { chooseBookingSystem, notInstalled } from './choose-booking-system.ts';
import { withDeadline } from './deadline.ts';
import { createReadBreaker, ReadHeldBack, type ReadSource } from './read-breaker.ts';
import { createSingleFlight } from './single-flight.ts';
import { allowsStaleBooking } from './stale-policy.ts';

export interface BookingReaderOptions {
  readonly store: Pick<Store, 'pools' | 'bookings' | 'outbox'>;
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  /** Milliseconds that a booking system has to answer. */
  readonly timeout: number;
}

/** An installation, and what it is called by. */
interface Source extends ReadSource {
  readonly connection: BookingSystemConnection;
  readonly destination: string;
  readonly heldUntil: number;
}

/** What reads that share a request have in common. */
type SharedRead = Pick<PoolBookingRequest, 'bookingId' | 'evenIfFailing'>;

/**
 * The booking's own id: the answer's, where the booking system has several ids for a booking; otherwise the one that it was
 * asked for by.
 */
function ownIdOf(
  { capabilities }: BookingSystemPlugin,
  { booking }: FetchedBooking,
  askedId: string,
): string {
  if (capabilities.aliases !== true || booking.id === askedId) return askedId;
  const { data, error } = bookingIdSchema.safeParse(booking.id);
  if (data !== undefined) return data;
  throw new InvalidBookingResponse(
    `The booking has an id of its own that is none: ${z.prettifyError(error)}`,
  );
}

/** The {@link BookingReader} of this process. */
export function createBookingReader(options: BookingReaderOptions): BookingReader {
  const { store, connector, timeout } = options;
  const flights = createSingleFlight<BookingReading>();
  const breaker = createReadBreaker();

  async function sourceFor(setup: PoolSetup, named: string | undefined): Promise<Source> {
    const bookingSystem = named ?? chooseBookingSystem(setup);
    if (bookingSystem === undefined) throw notInstalled(setup);
    const wanted = setup.versionOf(bookingSystem);
    const connection = wanted && (await connector.connect(wanted));
    if (wanted === undefined || connection === undefined) throw notInstalled(setup, bookingSystem);
    const { destination, settingsVersion: version, heldUntil } = wanted;
    return { pool: setup.pool, bookingSystem, version, connection, destination, heldUntil };
  }

  // A missing configuration is no failure of the booking system.
  function contextOf({ connection }: Source, signal: AbortSignal, evenIfLost: boolean) {
    try {
      return connection.contextFor({ purpose: 'read', signal, evenIfLost });
    } catch (error) {
      if (!isBookingSystemError(error) || error.code !== 'booking_system_not_configured') throw error;
      throw new HttpProblem(409, 'booking_system_not_configured', error.message, { cause: error });
    }
  }

  /** Lets a read go, unless the booking system asked to be left alone or has just failed several times. */
  function enter(source: Source): void {
    const waitMs = Math.ceil(source.heldUntil - performance.now());
    if (waitMs <= 0) {
      breaker.enter(source);
      return;
    }
    const { displayName } = source.connection.plugin;
    const seconds = Math.ceil(waitMs / 1_000);
    throw new RateLimited(`${displayName} has asked for fewer requests: it is asked again in ${seconds} s`, {
      notSent: true,
      retryAfterMs: waitMs,
    });
  }

  /** Has all hosts leave a booking system alone that asks for it. */
  async function holdIfAsked<Result>({ destination }: Source, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      const holds = holdsOf([{ destination, result: outcomeOf(error) }]);
      // The caller is to know the answer, not that it could not be written down.
      if (holds.length > 0) await store.outbox.hold(holds).catch(() => undefined);
      throw error;
    }
  }

  async function fetchBooking(
    source: Source,
    { bookingId, evenIfFailing = false }: SharedRead,
    flightSignal: AbortSignal,
  ): Promise<BookingReading> {
    const { pool, bookingSystem, version, connection } = source;
    const fetch = () =>
      withDeadline(timeout, flightSignal, async (signal) =>
        connection.plugin.fetchBooking(contextOf(source, signal, evenIfFailing), bookingId),
      );
    const fetched = await breaker.watch(source, () => holdIfAsked(source, fetch), flightSignal);
    const ownId = ownIdOf(connection.plugin, fetched, bookingId);
    const alias = ownId === bookingId ? undefined : bookingId;
    // Before the answer is known to anyone: whoever reads it finds the waivers of both.
    if (alias !== undefined) await store.bookings.addAlias({ pool, bookingSystem, bookingId: ownId, alias });
    await store.bookings.saveSoon({ pool, bookingSystem, bookingId: ownId, alias, fetched }, version);
    return { bookingSystem, bookingId: ownId, fetched, fetchedAt: new Date(), stale: false };
  }

  async function readShared(
    source: Source,
    read: SharedRead & Pick<BookingReadRequest, 'signal'>,
  ): Promise<BookingReading> {
    const { bookingId: askedId, evenIfFailing, signal } = read;
    const { pool, bookingSystem, version, connection } = source;
    const bookingId = connection.plugin.capabilities.aliases
      ? await store.bookings.ownId({ pool, bookingSystem, bookingId: askedId })
      : askedId;
    // A read that began before a change of the settings is not shared with later callers.
    const key = JSON.stringify([pool, bookingSystem, version, bookingId, evenIfFailing]);
    const shared = { bookingId, evenIfFailing };
    return flights.run(key, signal, (flightSignal) => fetchBooking(source, shared, flightSignal));
  }

  return {
    async readNow(request) {
      const setup = await store.pools.setup(request.pool);
      if (setup === undefined) throw unknownPool(request.pool);
      const source = await sourceFor(setup, request.bookingSystem);
      if (request.evenIfFailing !== true) enter(source);
      const reading = await readShared(source, request);
      const { fetched, bookingSystem, bookingId } = reading;
      await store.bookings.save({ pool: request.pool, bookingSystem, bookingId, fetched });
      return reading;
    },

    async read(request) {
      const { setup, bookingId } = request;
      const source = await sourceFor(setup, request.bookingSystem);
      const { pool, bookingSystem } = source;
      try {
        enter(source);
        return await readShared(source, { bookingId, signal: request.signal });
      } catch (thrown) {
        const error = thrown instanceof ReadHeldBack ? thrown.lastError : thrown;
        if (!allowsStaleBooking(error)) throw error;
        // The store keeps no answer that is older than 24 hours.
        const last = await store.bookings.get(pool, bookingSystem, bookingId);
        if (!last) throw error;
        return {
          bookingSystem,
          bookingId: last.bookingId,
          fetched: last.fetched,
          fetchedAt: last.fetchedAt,
          stale: true,
        };
      }
    },

    failing: () => breaker.failing(),
  };
}
