import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createWebhookKeeper } from '../vendor-webhooks/webhook-keeper.ts';
import { authorizeRoute } from './authorize-route.ts';
import { createBookingRefresh } from './booking-refresh.ts';
import { createChangePolling } from './change-polling.ts';
import { inboundRoute } from './inbound-route.ts';
import { createKeyThrottle } from './install-key.ts';
import { installRoutes } from './install-routes.ts';

/** The routes that booking systems call, and the background reader of changed bookings. */
export const integrationModule = new ContainerModule(({ bind }) => {
  bind(tokens.bookingRefresh).toResolvedValue(
    ...using(['store', 'bookingReader', 'bookingSources', 'log'], createBookingRefresh),
  );
  bind(tokens.background).toService(tokens.bookingRefresh);
  bind(tokens.changePolling).toResolvedValue(
    ...using(['store', 'bookingSources', 'bookingSystems', 'log', 'bookingRefresh'], createChangePolling),
  );
  bind(tokens.background).toService(tokens.changePolling);
  bind(tokens.background).toResolvedValue(
    ...using(['store', 'bookingSystems', 'connector', 'log'], createWebhookKeeper),
  );
  bind(tokens.keyThrottle).toResolvedValue(createKeyThrottle);
  for (const addRoutes of [installRoutes, authorizeRoute, inboundRoute])
    bind(tokens.routes).toConstantValue(addRoutes);
});
