import { ContainerModule } from 'inversify';
import { bookingReadingTokens } from '../booking-reading/booking-reading-module.ts';
import { bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import { hostTokens } from '../container/host-tokens.ts';
import { token } from '../container/token.ts';
import { createWebhookKeeper } from '../vendor-webhooks/webhook-keeper.ts';
import { authorizeRoute } from './authorize-route.ts';
import { type BookingRefresh, createBookingRefresh } from './booking-refresh.ts';
import { type ChangePolling, createChangePolling } from './change-polling.ts';
import { inboundRoute } from './inbound-route.ts';
import { createKeyThrottle } from './install-key.ts';
import { installRoutes } from './install-routes.ts';

const integrationTokens = {
  refresh: token<BookingRefresh>('booking refresh'),
  changePolling: token<ChangePolling>('change polling'),
};

/** The routes that booking systems call, and the background reader of changed bookings. */
export const integrationModule = new ContainerModule(({ bind }) => {
  bind(integrationTokens.refresh).toResolvedValue(
    ({ bookings, unmatchedWaivers }, bookingReader, log) =>
      createBookingRefresh({ bookings, unmatchedWaivers, bookingReader, log }),
    [hostTokens.store, bookingReadingTokens.bookingReader, hostTokens.log],
  );
  bind(hostTokens.background).toService(integrationTokens.refresh);
  bind(integrationTokens.changePolling).toResolvedValue(
    ({ bookingChanges: queue, pools }, sources, bookingSystems, log, refresh) =>
      createChangePolling({
        queue,
        pools,
        sources,
        bookingSystems,
        log,
        wakeRefresh: () => refresh.wake(),
      }),
    [
      hostTokens.store,
      bookingReadingTokens.bookingSources,
      bookingSystemTokens.resolver,
      hostTokens.log,
      integrationTokens.refresh,
    ],
  );
  bind(hostTokens.background).toService(integrationTokens.changePolling);
  bind(hostTokens.background).toResolvedValue(
    (store, bookingSystems, connector, log) => createWebhookKeeper({ store, bookingSystems, connector, log }),
    [hostTokens.store, bookingSystemTokens.resolver, bookingSystemTokens.connector, hostTokens.log],
  );
  bind(hostTokens.routes).toResolvedValue(
    (store, bookingSystems, settings, baseUrl, refresh, polling, authorizationVisits, cells) => (app) => {
      const throttle = createKeyThrottle();
      installRoutes(app, { store, bookingSystems, settings, baseUrl, throttle, cells });
      authorizeRoute(app, { bookingSystems, authorizationVisits, throttle });
      inboundRoute(app, {
        store,
        bookingSystems,
        throttle,
        cells,
        baseUrl,
        wakeRefresh: () => refresh.wake(),
        wakePolling: () => polling.wake(),
      });
    },
    [
      hostTokens.store,
      bookingSystemTokens.resolver,
      hostTokens.settings,
      hostTokens.baseUrl,
      integrationTokens.refresh,
      integrationTokens.changePolling,
      bookingSystemTokens.authorizationVisits,
      hostTokens.cells,
    ],
  );
});
