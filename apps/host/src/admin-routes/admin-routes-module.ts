import { ContainerModule } from 'inversify';
import { alertTokens } from '../alerts/alerts-module.ts';
import { bookingReadingTokens } from '../booking-reading/booking-reading-module.ts';
import { bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import { hostTokens } from '../container/host-tokens.ts';
import { rulesOf } from '../sign-in/person-of-claims.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import { testAlertRoute } from './alerts/test-alert-route.ts';
import { bookingSystemRoutes } from './booking-systems/booking-system-routes.ts';
import { configureBookingSystemRoute } from './booking-systems/configure-booking-system-route.ts';
import { installKeyRoutes } from './booking-systems/install-key-routes.ts';
import { deliveryRoutes } from './deliveries/delivery-routes.ts';
import { recoverRoute } from './deliveries/recover-route.ts';
import { destinationRoutes } from './destinations/destination-routes.ts';
import { destinationHealthRoute } from './destinations/health-route.ts';
import { erasureRoutes } from './guests/erasure-routes.ts';
import { exportRoute } from './guests/export-route.ts';
import { holdRoutes } from './guests/hold-routes.ts';
import { approveInstallationRoute } from './installations/approve-installation-route.ts';
import { authorizeInstallationRoute } from './installations/authorize-installation-route.ts';
import { checkInstallationRoutes } from './installations/check-installation-routes.ts';
import { installationRoutes } from './installations/installation-routes.ts';
import { testInstallationRoute } from './installations/test-installation-route.ts';
import { firstStepsRoute } from './overview/first-steps-route.ts';
import { overviewRoute } from './overview/overview-route.ts';
import { auditRoute } from './people/audit-route.ts';
import { credentialRoutes } from './people/credential-routes.ts';
import { meRoute } from './people/me-route.ts';
import { sessionListRoutes } from './people/session-list-routes.ts';
import { accessTokenRoutes } from './pools/access-token-routes.ts';
import { poolRoutes } from './pools/pool-routes.ts';
import { unmatchedWaiverRoutes } from './unmatched-waivers/unmatched-waiver-routes.ts';
import { listVersionsRoute } from './waivers/list-versions-route.ts';
import { rotateSecretRoute } from './webhooks/rotate-secret-route.ts';
import { testWebhookRoute } from './webhooks/test-webhook-route.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

/** The routes of operators. */
export const adminRoutesModule = new ContainerModule(({ bind }) => {
  bind(hostTokens.routes).toResolvedValue(
    (
      store,
      outbound,
      settings,
      baseUrl,
      bookingSystems,
      bookingReader,
      bookingSources,
      authorizationVisits,
      mailer,
    ) =>
      (app) => {
        meRoute(app);
        credentialRoutes(app, { store });
        sessionListRoutes(app, { store, signInRules: rulesOf(settings.signInIssuer) });
        auditRoute(app, { store });
        bookingSystemRoutes(app, { store, bookingSystems, settings });
        configureBookingSystemRoute(app, { store, bookingSystems, settings, outbound });
        installKeyRoutes(app, { store, bookingSystems });
        poolRoutes(app, { store });
        accessTokenRoutes(app, { store });
        installationRoutes(app, { store, bookingSystems, settings, baseUrl, outbound });
        approveInstallationRoute(app, { store, bookingSystems });
        authorizeInstallationRoute(app, { store, bookingSystems, authorizationVisits });
        checkInstallationRoutes(app, { store, bookingSystems, outbound, settings });
        testInstallationRoute(app, { store, bookingSystems, bookingReader, bookingSources, outbound });
        webhookRoutes(app, { store, outbound });
        testWebhookRoute(app, { store, outbound });
        rotateSecretRoute(app, { store });
        deliveryRoutes(app, { store });
        recoverRoute(app, { store });
        destinationRoutes(app, { store });
        destinationHealthRoute(app, { store });
        overviewRoute(app, { store });
        listVersionsRoute(app, { store });
        firstStepsRoute(app, { store });
        unmatchedWaiverRoutes(app, { store });
        holdRoutes(app, { store });
        erasureRoutes(app, { store });
        exportRoute(app, { store });
        alertRoutes(app, { store, outbound, mailer });
        testAlertRoute(app, { store, outbound, mailer, baseUrl });
      },
    [
      hostTokens.store,
      hostTokens.outbound,
      hostTokens.settings,
      hostTokens.baseUrl,
      bookingSystemTokens.resolver,
      bookingReadingTokens.bookingReader,
      bookingReadingTokens.bookingSources,
      bookingSystemTokens.authorizationVisits,
      alertTokens.mailer,
    ],
  );
});
