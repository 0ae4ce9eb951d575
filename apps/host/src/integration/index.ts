import type { RouteModule } from '../http/host-app.ts';
import { type InboundServices, inboundRoute } from './inbound-route.ts';
import type { InstallServices } from './install-account.ts';
import { createKeyThrottle } from './install-key.ts';
import { installRoutes } from './install-routes.ts';

export { type BookingRefresh, createBookingRefresh } from './booking-refresh.ts';
export { inboundNoticeSchema } from './inbound-notice.ts';
export { installAccount, uninstallAccount } from './install-account.ts';

/** The routes that booking systems call. */
export const integrationRoutes: RouteModule<InstallServices & Omit<InboundServices, 'throttle'>> = (
  app,
  services,
) => {
  const throttle = createKeyThrottle();
  installRoutes(app, { ...services, throttle });
  inboundRoute(app, { ...services, throttle });
};
