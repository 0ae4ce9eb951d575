import { isPoolMoving, type Store } from '@waiver-service/store';
import { unknownPool } from '../http/http-problem.ts';
import type {
  BookingReader,
  BookingReading,
  BookingReadRequest,
  PoolBookingRequest,
} from './booking-reader.ts';
import type { BookingSource, BookingSources } from './booking-sources.ts';
import { ownIdOf } from './own-id.ts';
import { ReadHeldBack } from './read-breaker.ts';
import { createSingleFlight } from './single-flight.ts';
import { allowsStaleBooking } from './stale-policy.ts';

export interface BookingReaderOptions {
  readonly store: Pick<Store, 'pools' | 'bookings'>;
  readonly sources: BookingSources;
}

/** The part that reads which share a request have in common. */
type SharedRead = Pick<PoolBookingRequest, 'bookingId' | 'evenIfFailing' | 'trace'>;

/** The {@link BookingReader} of this process. */
export function createBookingReader({ store, sources }: BookingReaderOptions): BookingReader {
  const flights = createSingleFlight<BookingReading>();

  /** Reads go on while the pool is being moved, when no id can be noted: a read after the move notes it. */
  async function noteAlias(alias: Parameters<Store['bookings']['addAlias']>[0]): Promise<void> {
    try {
      await store.bookings.addAlias(alias);
    } catch (error) {
      if (!isPoolMoving(error)) throw error;
    }
  }

  async function fetchBooking(
    source: BookingSource,
    { bookingId, evenIfFailing = false, trace }: SharedRead,
    flightSignal: AbortSignal,
  ): Promise<BookingReading> {
    const { pool, bookingSystem, version, connection } = source;
    const fetched = await sources.ask({
      source,
      signal: flightSignal,
      evenIfFailing,
      trace,
      ask: (context) => connection.plugin.fetchBooking(context, bookingId),
    });
    const ownId = ownIdOf(connection.plugin, fetched, bookingId);
    const alias = ownId === bookingId ? undefined : bookingId;
    const asked = connection.installation;
    // Before the answer is known to anyone: whoever reads it finds the waivers of both.
    if (alias !== undefined) await noteAlias({ pool, bookingSystem, bookingId: ownId, alias, asked });
    await store.bookings.saveSoon({ pool, bookingSystem, bookingId: ownId, alias, asked, fetched }, version);
    return { bookingSystem, bookingId: ownId, fetched, fetchedAt: new Date(), stale: false };
  }

  async function readShared(
    source: BookingSource,
    read: SharedRead & Pick<BookingReadRequest, 'signal'>,
  ): Promise<BookingReading> {
    const { bookingId: askedId, evenIfFailing, signal, trace } = read;
    const { pool, bookingSystem, version, connection } = source;
    const bookingId = connection.plugin.capabilities.aliases
      ? await store.bookings.ownId({ pool, bookingSystem, bookingId: askedId })
      : askedId;
    if (trace !== undefined) return fetchBooking(source, { bookingId, evenIfFailing, trace }, signal);
    // A read that began before a change of the settings is not shared with later callers.
    const key = JSON.stringify([pool, bookingSystem, version, bookingId, evenIfFailing]);
    const shared = { bookingId, evenIfFailing };
    return flights.run(key, signal, (flightSignal) => fetchBooking(source, shared, flightSignal));
  }

  return {
    async readNow(request) {
      const setup = await store.pools.setup(request.pool);
      if (setup === undefined) throw unknownPool(request.pool);
      const source = await sources.sourceFor(setup, request.bookingSystem);
      if (request.evenIfFailing !== true) sources.enter(source);
      const reading = await readShared(source, request);
      const { fetched, bookingSystem, bookingId } = reading;
      const asked = source.connection.installation;
      await store.bookings.save({ pool: request.pool, bookingSystem, bookingId, asked, fetched });
      return reading;
    },

    async read(request) {
      const { setup, bookingId, signal, trace } = request;
      const source = await sources.sourceFor(setup, request.bookingSystem);
      const { pool, bookingSystem } = source;
      try {
        sources.enter(source);
        return await readShared(source, { bookingId, signal, trace });
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
          failure: error,
        };
      }
    },

    failing: () => sources.failing(),
  };
}
