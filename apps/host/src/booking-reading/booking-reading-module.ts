import { ContainerModule } from 'inversify';
import { BookingSystemConnector } from '../booking-systems/connect-booking-system.ts';
import { Store } from '../given.ts';
import { RouteModule } from '../http/host-app.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { BookingReader, createBookingReader } from './booking-reader.ts';
import { BookingRoute } from './booking-route.ts';
import { BookingSources, createBookingSources } from './booking-sources.ts';
import { BookingLister, createBookingLister } from './list-bookings.ts';
import { ListBookingsRoute } from './list-bookings-route.ts';

/** Reading bookings, and the waiver app's routes for it. */
export const bookingReadingModule = new ContainerModule(({ bind }) => {
  bind(BookingSources).toResolvedValue(
    (store: Store, connector: BookingSystemConnector, { outboundTimeout: timeout }: HostSettings) =>
      createBookingSources({ store, connector, timeout }),
    [Store, BookingSystemConnector, HostSettings],
  );
  bind(BookingReader).toResolvedValue(
    (store: Store, sources: BookingSources) => createBookingReader({ store, sources }),
    [Store, BookingSources],
  );
  bind(BookingLister).toResolvedValue(
    (store: Store, sources: BookingSources, bookingReader: BookingReader) =>
      createBookingLister({ store, sources, bookingReader }),
    [Store, BookingSources, BookingReader],
  );
  bind(RouteModule).to(ListBookingsRoute);
  bind(RouteModule).to(BookingRoute);
});
