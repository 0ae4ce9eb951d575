import { ContainerModule } from 'inversify';
import { BackgroundWork } from '../background/background-loop.ts';
import { BookingReader } from '../booking-reading/booking-reader.ts';
import { BookingSources } from '../booking-reading/booking-sources.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { Log, Store } from '../given.ts';
import { RouteModule } from '../http/host-app.ts';
import { WebhookKeeper } from '../vendor-webhooks/webhook-keeper.ts';
import { AuthorizeRoute } from './authorize-route.ts';
import { BookingRefresh, createBookingRefresh } from './booking-refresh.ts';
import { ChangePolling, createChangePolling } from './change-polling.ts';
import { InboundAuthenticity } from './inbound-authenticity.ts';
import { InboundRoute } from './inbound-route.ts';
import { createKeyThrottle, KeyThrottle } from './install-key.ts';
import { InstallRoutes } from './install-routes.ts';
import { NoticeTaker } from './take-notice.ts';

/** The routes that booking systems call, and the background reader of changed bookings. */
export const integrationModule = new ContainerModule(({ bind }) => {
  bind(BookingRefresh).toResolvedValue(
    (store: Store, bookingReader: BookingReader, bookingSources: BookingSources, log: Log) =>
      createBookingRefresh({ store, bookingReader, bookingSources, log }),
    [Store, BookingReader, BookingSources, Log],
  );
  bind(BackgroundWork).toService(BookingRefresh);
  bind(ChangePolling).toResolvedValue(
    (
      store: Store,
      bookingSources: BookingSources,
      bookingSystems: BookingSystemResolver,
      log: Log,
      bookingRefresh: BookingRefresh,
    ) => createChangePolling({ store, bookingSources, bookingSystems, log, bookingRefresh }),
    [Store, BookingSources, BookingSystemResolver, Log, BookingRefresh],
  );
  bind(BackgroundWork).toService(ChangePolling);
  bind(BackgroundWork).to(WebhookKeeper);
  bind(KeyThrottle).toResolvedValue(createKeyThrottle);
  bind(InboundAuthenticity).toSelf();
  bind(NoticeTaker).toSelf();
  bind(RouteModule).to(InstallRoutes);
  bind(RouteModule).to(AuthorizeRoute);
  bind(RouteModule).to(InboundRoute);
});
