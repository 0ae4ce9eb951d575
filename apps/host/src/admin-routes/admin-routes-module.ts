import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import { testAlertRoute } from './alerts/test-alert-route.ts';
import { bookingSystemRoutes } from './booking-systems/booking-system-routes.ts';
import { installKeyRoutes } from './booking-systems/install-key-routes.ts';
import { deliveryRoutes } from './deliveries/delivery-routes.ts';
import { recoverRoute } from './deliveries/recover-route.ts';
import { destinationRoutes } from './destinations/destination-routes.ts';
import { formRoutes } from './forms/form-routes.ts';
import { erasureRoutes } from './guests/erasure-routes.ts';
import { exportRoute } from './guests/export-route.ts';
import { holdRoutes } from './guests/hold-routes.ts';
import { checkInstallationRoutes } from './installations/check-installation-routes.ts';
import { installationRoutes } from './installations/installation-routes.ts';
import { testInstallationRoute } from './installations/test-installation-route.ts';
import { overviewRoutes } from './overview/overview-routes.ts';
import { auditRoute } from './people/audit-route.ts';
import { credentialRoutes } from './people/credential-routes.ts';
import { meRoute } from './people/me-route.ts';
import { sessionListRoutes } from './people/session-list-routes.ts';
import { accessTokenRoutes } from './pools/access-token-routes.ts';
import { poolRoutes } from './pools/pool-routes.ts';
import { unmatchedWaiverRoutes } from './unmatched-waivers/unmatched-waiver-routes.ts';
import { listVersionsRoute } from './waivers/list-versions-route.ts';
import { waiverBookingRoutes } from './waivers/waiver-booking-routes.ts';
import { testWebhookRoute } from './webhooks/test-webhook-route.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

const routes = [
  meRoute,
  credentialRoutes,
  sessionListRoutes,
  auditRoute,
  bookingSystemRoutes,
  installKeyRoutes,
  poolRoutes,
  accessTokenRoutes,
  formRoutes,
  installationRoutes,
  checkInstallationRoutes,
  testInstallationRoute,
  webhookRoutes,
  testWebhookRoute,
  deliveryRoutes,
  recoverRoute,
  destinationRoutes,
  overviewRoutes,
  listVersionsRoute,
  unmatchedWaiverRoutes,
  waiverBookingRoutes,
  holdRoutes,
  erasureRoutes,
  exportRoute,
  alertRoutes,
  testAlertRoute,
];

export const adminRoutesModule = new ContainerModule(({ bind }) => {
  for (const addRoutes of routes) bind(tokens.routes).toConstantValue(addRoutes);
});
