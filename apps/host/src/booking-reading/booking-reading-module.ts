import { ContainerModule } from 'inversify';
import { bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import { hostTokens } from '../container/host-tokens.ts';
import { token } from '../container/token.ts';
import type { BookingReader } from './booking-reader.ts';
import { bookingRoute } from './booking-route.ts';
import { createBookingReader } from './create-booking-reader.ts';

export const bookingReadingTokens = {
  bookingReader: token<BookingReader>('booking reader'),
};

/** Reading bookings, and the waiver app's route for it. */
export const bookingReadingModule = new ContainerModule(({ bind }) => {
  bind(bookingReadingTokens.bookingReader).toResolvedValue(
    (store, connector, { outboundTimeout: timeout }) => createBookingReader({ store, connector, timeout }),
    [hostTokens.store, bookingSystemTokens.connector, hostTokens.settings],
  );
  bind(hostTokens.routes).toResolvedValue(
    (store, bookingSystems, bookingReader) => (app) =>
      bookingRoute(app, { store, bookingSystems, bookingReader }),
    [hostTokens.store, bookingSystemTokens.resolver, bookingReadingTokens.bookingReader],
  );
});
