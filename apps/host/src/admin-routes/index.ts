import type { HostServices } from '../composition/host-services.ts';
import type { RouteModule } from '../http/host-app.ts';
import { bookingSystemRoutes } from './booking-systems/booking-system-routes.ts';
import { configureBookingSystemRoute } from './booking-systems/configure-booking-system-route.ts';
import { installKeyRoutes } from './booking-systems/install-key-routes.ts';
import { deliveryRoutes } from './deliveries/delivery-routes.ts';
import { recoverRoute } from './deliveries/recover-route.ts';
import { destinationRoutes } from './destinations/destination-routes.ts';
import { approveInstallationRoute } from './installations/approve-installation-route.ts';
import { installationRoutes } from './installations/installation-routes.ts';
import { testInstallationRoute } from './installations/test-installation-route.ts';
import { accessTokenRoutes } from './pools/access-token-routes.ts';
import { poolRoutes } from './pools/pool-routes.ts';
import { rotateSecretRoute } from './webhooks/rotate-secret-route.ts';
import { testWebhookRoute } from './webhooks/test-webhook-route.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

/** The routes of operators. */
export const adminRoutes: RouteModule<HostServices> = (app, services) => {
  bookingSystemRoutes(app, services);
  configureBookingSystemRoute(app, services);
  installKeyRoutes(app, services);
  poolRoutes(app, services);
  accessTokenRoutes(app, services);
  installationRoutes(app, services);
  approveInstallationRoute(app, services);
  testInstallationRoute(app, services);
  webhookRoutes(app, services);
  testWebhookRoute(app, services);
  rotateSecretRoute(app, services);
  deliveryRoutes(app, services);
  recoverRoute(app, services);
  destinationRoutes(app, services);
};
