import { isBookingSystemError } from '@waiver-service/core';
import type { BookingSystemConfiguration, PoolSetup, Store } from '@waiver-service/store';
import type {
  BookingSystemConnector,
  ConnectionPurpose,
} from '../booking-systems/booking-system-connection.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import type { BookingReader, BookingReading, BookingReadRequest } from './booking-reader.ts';
import { chooseBookingSystem, notInstalled } from './choose-booking-system.ts';
import { withDeadline } from './deadline.ts';
import { createReadBreaker, ReadHeldBack, type ReadSource } from './read-breaker.ts';
import { createSingleFlight } from './single-flight.ts';
import { allowsStaleBooking } from './stale-policy.ts';

/** What reading needs. */
export interface BookingReaderOptions {
  readonly store: Pick<Store, 'pools' | 'bookings'>;
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  /** Milliseconds that a booking system has to answer. */
  readonly timeout: number;
}

async function configurationFor(
  setup: PoolSetup,
  named: string | undefined,
): Promise<BookingSystemConfiguration> {
  const bookingSystem = named ?? chooseBookingSystem(setup);
  if (bookingSystem === undefined) throw notInstalled(setup);
  const configuration = await setup.configurationOf(bookingSystem);
  if (configuration !== undefined) return configuration;
  throw notInstalled(setup, bookingSystem);
}

const sourceOf = ({ installation, version }: BookingSystemConfiguration): ReadSource => ({
  pool: installation.pool,
  bookingSystem: installation.bookingSystem,
  version,
});

/** The {@link BookingReader} of this process. */
export function createBookingReader(options: BookingReaderOptions): BookingReader {
  const { store, connector, timeout } = options;
  const flights = createSingleFlight<BookingReading>();
  const breaker = createReadBreaker();

  // What an operator has not set up is no failure of the booking system.
  function connect(configuration: BookingSystemConfiguration, purpose: ConnectionPurpose) {
    try {
      return connector.connect(configuration, purpose);
    } catch (error) {
      if (!isBookingSystemError(error) || error.code !== 'booking_system_not_configured') throw error;
      throw new HttpProblem(409, 'booking_system_not_configured', error.message, { cause: error });
    }
  }

  async function fetchBooking(
    configuration: BookingSystemConfiguration,
    bookingId: string,
    flightSignal: AbortSignal,
  ): Promise<BookingReading> {
    const { pool, bookingSystem } = configuration.installation;
    const fetch = () =>
      withDeadline(timeout, flightSignal, async (signal) => {
        const { plugin, context } = connect(configuration, { purpose: 'read', signal });
        return plugin.fetchBooking(context, bookingId);
      });
    const fetched = await breaker.watch(sourceOf(configuration), fetch, flightSignal);
    await store.bookings.saveSoon({ pool, bookingSystem, bookingId, fetched });
    return { bookingSystem, fetched, fetchedAt: new Date(), stale: false };
  }

  function readShared(
    configuration: BookingSystemConfiguration,
    { bookingId, signal }: Pick<BookingReadRequest, 'bookingId' | 'signal'>,
  ): Promise<BookingReading> {
    const { installation, version } = configuration;
    // What was begun before a change of the settings is not shared with who comes after it.
    const key = JSON.stringify([installation.pool, installation.bookingSystem, version, bookingId]);
    return flights.run(key, signal, (flightSignal) => fetchBooking(configuration, bookingId, flightSignal));
  }

  return {
    async readNow(request) {
      const setup = await store.pools.setup(request.pool);
      if (setup === undefined) throw unknownPool(request.pool);
      const configuration = await configurationFor(setup, request.bookingSystem);
      if (request.evenIfFailing !== true) breaker.enter(sourceOf(configuration));
      const reading = await readShared(configuration, request);
      const { fetched, bookingSystem } = reading;
      await store.bookings.save({ pool: request.pool, bookingSystem, bookingId: request.bookingId, fetched });
      return reading;
    },

    async read(request) {
      const { setup, bookingId } = request;
      const configuration = await configurationFor(setup, request.bookingSystem);
      const { pool, bookingSystem } = configuration.installation;
      try {
        breaker.enter(sourceOf(configuration));
        return await readShared(configuration, request);
      } catch (thrown) {
        const error = thrown instanceof ReadHeldBack ? thrown.lastError : thrown;
        if (!allowsStaleBooking(error)) throw error;
        // The store keeps no answer that is older than 24 hours.
        const last = await store.bookings.get(pool, bookingSystem, bookingId);
        if (!last) throw error;
        return { bookingSystem, fetched: last.fetched, fetchedAt: last.fetchedAt, stale: true };
      }
    },

    failing: () => breaker.failing(),
  };
}
