import 'reflect-metadata';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import { Container } from 'inversify';
import { adminRoutesModule } from '../admin-routes/admin-routes-module.ts';
import { alertsModule } from '../alerts/alerts-module.ts';
import { authenticationModule } from '../authentication/authentication-module.ts';
import { bookingReadingModule } from '../booking-reading/booking-reading-module.ts';
import { createBookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { bookingSystemsModule } from '../booking-systems/booking-systems-module.ts';
import { checkInModule } from '../check-in/check-in-module.ts';
import { consoleModule } from '../console/console-module.ts';
import { routeServices } from '../container/route-services.ts';
import { type HostServices, tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { daysModule } from '../days/days-module.ts';
import { integrationModule } from '../integration/integration-module.ts';
import { invitationsModule } from '../invitations/invitations-module.ts';
import { operationsModule } from '../operations/operations-module.ts';
import { sendingModule } from '../sending/sending-module.ts';
import { waiverRoutesModule } from '../waiver-routes/waiver-routes-module.ts';
import { createHostApps } from './host-apps.ts';

/** Created before the container, because the start awaits them, or fails without them. */
export type GivenServices = Pick<
  HostServices,
  'settings' | 'adminToken' | 'baseUrl' | 'store' | 'log' | 'faults' | 'tracing'
>;

/** The composition root: each feature is a module that binds its services and names their dependencies. */
export function buildContainer(given: GivenServices, plugins: readonly BookingSystemPlugin[]): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(tokens.settings).toConstantValue(given.settings);
  container.bind(tokens.adminToken).toConstantValue(given.adminToken);
  container.bind(tokens.baseUrl).toConstantValue(given.baseUrl);
  container.bind(tokens.store).toConstantValue(given.store);
  container.bind(tokens.log).toConstantValue(given.log);
  container.bind(tokens.faults).toConstantValue(given.faults);
  container.bind(tokens.tracing).toConstantValue(given.tracing);
  container
    .bind(tokens.outbound)
    .toResolvedValue(
      ...using(['settings'], ({ settings: { outboundAllow: allow, outboundTimeout: timeoutMs } }) =>
        createOutbound({ allow, timeoutMs }),
      ),
    );
  container.bind(tokens.bookingSystems).toConstantValue(createBookingSystemResolver(container));
  container
    .bind(tokens.apps)
    .toResolvedValue(
      ...using(
        ['settings', 'store', 'log', 'faults', 'tracing', 'metrics', 'readiness', 'audit', 'identification'],
        createHostApps,
      ),
    );
  container.bind(tokens.routeServices).toResolvedValue(...using(routeServices, (services) => services));
  // Also the order of the routes in the OpenAPI document.
  container.load(
    operationsModule,
    authenticationModule,
    bookingSystemsModule(plugins),
    alertsModule,
    sendingModule,
    integrationModule,
    bookingReadingModule,
    waiverRoutesModule,
    checkInModule,
    daysModule,
    invitationsModule,
    adminRoutesModule,
    consoleModule,
  );
  return container;
}
