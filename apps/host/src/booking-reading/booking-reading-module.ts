import { ContainerModule } from 'inversify';
import { bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import { hostTokens } from '../container/host-tokens.ts';
import { token } from '../container/token.ts';
import type { BookingReader } from './booking-reader.ts';
import { bookingRoute } from './booking-route.ts';
import { type BookingSources, createBookingSources } from './booking-sources.ts';
import { createBookingReader } from './create-booking-reader.ts';
import { type BookingLister, createBookingLister } from './list-bookings.ts';
import { listBookingsRoute } from './list-bookings-route.ts';

export const bookingReadingTokens = {
  bookingReader: token<BookingReader>('booking reader'),
  bookingSources: token<BookingSources>('booking sources'),
  bookingLister: token<BookingLister>('booking lister'),
};

/** Reading bookings, and the waiver app's route for it. */
export const bookingReadingModule = new ContainerModule(({ bind }) => {
  bind(bookingReadingTokens.bookingSources).toResolvedValue(
    (store, connector, { outboundTimeout: timeout }) => createBookingSources({ store, connector, timeout }),
    [hostTokens.store, bookingSystemTokens.connector, hostTokens.settings],
  );
  bind(bookingReadingTokens.bookingReader).toResolvedValue(
    (store, sources) => createBookingReader({ store, sources }),
    [hostTokens.store, bookingReadingTokens.bookingSources],
  );
  bind(bookingReadingTokens.bookingLister).toResolvedValue(
    (store, sources, bookingReader) => createBookingLister({ store, sources, bookingReader }),
    [hostTokens.store, bookingReadingTokens.bookingSources, bookingReadingTokens.bookingReader],
  );
  bind(hostTokens.routes).toResolvedValue(
    (store, outbound, bookingSystems, bookingReader, bookingSources, bookingLister) => (app) => {
      listBookingsRoute(app, { store, bookingSystems, bookingLister });
      bookingRoute(app, { store, outbound, bookingSystems, bookingReader, bookingSources });
    },
    [
      hostTokens.store,
      hostTokens.outbound,
      bookingSystemTokens.resolver,
      bookingReadingTokens.bookingReader,
      bookingReadingTokens.bookingSources,
      bookingReadingTokens.bookingLister,
    ],
  );
});
