import { BookingSystemNotConfigured } from '@waiver-service/plugin-kit';
import type {
  BookingSystemConnector,
  ConnectionRequest,
} from '../booking-systems/booking-system-connection.ts';
import type { HostServices } from '../composition/host-services.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { BookingReader, BookingReading, BookingReadRequest } from './booking-reader.ts';
import { chooseOnlyBookingSystem, notInstalled } from './choose-booking-system.ts';
import { withDeadline } from './deadline.ts';
import { createSingleFlight } from './single-flight.ts';
import { allowsStaleBooking } from './stale-policy.ts';

/** What reading needs. */
export interface BookingReaderOptions {
  readonly store: Pick<HostServices['store'], 'installations' | 'bookings'>;
  readonly connector: BookingSystemConnector;
  /** Milliseconds that a booking system has to answer. */
  readonly timeout: number;
}

// What an operator has not set up is no failure of the booking system.
async function connect(connector: BookingSystemConnector, request: ConnectionRequest) {
  try {
    return await connector.connect(request);
  } catch (error) {
    if (!(error instanceof BookingSystemNotConfigured)) throw error;
    throw new HttpProblem(409, 'booking_system_not_configured', error.message, { cause: error });
  }
}

/** The {@link BookingReader} of this process. */
export function createBookingReader(options: BookingReaderOptions): BookingReader {
  const { store, connector, timeout } = options;
  const flights = createSingleFlight<BookingReading>();

  async function bookingSystemOf({ pool, bookingSystem }: BookingReadRequest): Promise<string> {
    if (bookingSystem !== undefined) return bookingSystem;
    const installations = await store.installations.list(pool);
    const only = chooseOnlyBookingSystem(
      pool,
      installations.map((installation) => installation.bookingSystem),
    );
    if (only === undefined) throw notInstalled(pool);
    return only;
  }

  async function fetchAndSave(
    pool: string,
    bookingSystem: string,
    bookingId: string,
    flightSignal: AbortSignal,
  ) {
    // Only the booking system's part has the time limit: our own database being slow is not its time-out.
    const fetched = await withDeadline(timeout, flightSignal, async (signal) => {
      const { plugin, context } = await connect(connector, { pool, bookingSystem, purpose: 'read', signal });
      return plugin.fetchBooking(context, bookingId);
    });
    const fetchedAt = new Date();
    await store.bookings.save({ pool, bookingSystem, bookingId, fetched });
    return { bookingSystem, fetched, fetchedAt, stale: false };
  }

  const readShared = (pool: string, bookingSystem: string, bookingId: string, signal: AbortSignal) =>
    flights.run(JSON.stringify([pool, bookingSystem, bookingId]), signal, (flightSignal) =>
      fetchAndSave(pool, bookingSystem, bookingId, flightSignal),
    );

  return {
    async readNow(request) {
      const bookingSystem = await bookingSystemOf(request);
      return readShared(request.pool, bookingSystem, request.bookingId, request.signal);
    },

    async read(request) {
      const { pool, bookingId, signal } = request;
      const bookingSystem = await bookingSystemOf(request);
      try {
        return await readShared(pool, bookingSystem, bookingId, signal);
      } catch (error) {
        if (!allowsStaleBooking(error)) throw error;
        // The store keeps no answer that is older than 24 hours.
        const last = await store.bookings.get(pool, bookingSystem, bookingId);
        if (!last) throw error;
        return { bookingSystem, fetched: last.fetched, fetchedAt: last.fetchedAt, stale: true };
      }
    },
  };
}
