import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createBookingReader } from './booking-reader.ts';
import { bookingRoute } from './booking-route.ts';
import { createBookingSources } from './booking-sources.ts';
import { createBookingLister } from './list-bookings.ts';
import { listBookingsRoute } from './list-bookings-route.ts';

/** Reading bookings, and the waiver app's routes for it. */
export const bookingReadingModule = new ContainerModule(({ bind }) => {
  bind(tokens.bookingSources).toResolvedValue(
    ...using(['store', 'connector', 'settings'], ({ settings: { outboundTimeout: timeout }, ...services }) =>
      createBookingSources({ ...services, timeout }),
    ),
  );
  bind(tokens.bookingReader).toResolvedValue(
    ...using(['store', 'bookingSources'], ({ store, bookingSources: sources }) =>
      createBookingReader({ store, sources }),
    ),
  );
  bind(tokens.bookingLister).toResolvedValue(
    ...using(['store', 'bookingSources', 'bookingReader'], ({ bookingSources: sources, ...services }) =>
      createBookingLister({ ...services, sources }),
    ),
  );
  for (const addRoutes of [listBookingsRoute, bookingRoute]) bind(tokens.routes).toConstantValue(addRoutes);
});
