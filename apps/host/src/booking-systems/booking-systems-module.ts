import { type BookingSystemManifest, type BookingSystemPlugin, manifestSchema } from '@waiver-service/core';
import { ContainerModule } from 'inversify';
import { hostTokens } from '../container/host-tokens.ts';
import { token } from '../container/token.ts';
import { type AuthorizationVisits, createAuthorizationVisits } from './authorization-visits.ts';
import type { BookingSystemConnector } from './booking-system-connection.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';
import { createBookingSystemConnector } from './connect-booking-system.ts';
import { reportSessions } from './session-events.ts';
import { createSessionKeepers, type SessionKeepers } from './session-keepers.ts';

export const bookingSystemTokens = {
  /** Bound without a name, once for each booking system, for listing. */
  manifest: token<BookingSystemManifest>('booking system manifest'),
  /** Bound by install name. */
  plugin: token<BookingSystemPlugin>('booking system plugin'),
  resolver: token<BookingSystemResolver>('booking system resolver'),
  connector: token<BookingSystemConnector>('booking system connector'),
  sessionKeepers: token<SessionKeepers>('session keepers'),
  authorizationVisits: token<AuthorizationVisits>('visits to authorization pages'),
};

/** The plugins, and the connector of pools to plugins. The resolver uses the container itself. */
export function bookingSystemsModule(plugins: readonly BookingSystemPlugin[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const plugin of plugins) {
      // The manifest, as plain data, is also bound without a name, because listing finds no named bindings.
      bind(bookingSystemTokens.manifest).toConstantValue(manifestSchema.parse(plugin));
      bind(bookingSystemTokens.plugin).toConstantValue(plugin).whenNamed(plugin.installName);
    }
    bind(bookingSystemTokens.sessionKeepers).toResolvedValue(
      ({ sessions }, { outboundTimeout: timeoutMs }, log) =>
        createSessionKeepers({ sessions, timeoutMs, onEvent: reportSessions(log) }),
      [hostTokens.store, hostTokens.settings, hostTokens.log],
    );
    bind(bookingSystemTokens.authorizationVisits).toResolvedValue(
      ({ pools, authorizationRequests: requests }, connector, baseUrl) =>
        createAuthorizationVisits({ pools, requests, connector, baseUrl }),
      [hostTokens.store, bookingSystemTokens.connector, hostTokens.baseUrl],
    );
    bind(bookingSystemTokens.connector).toResolvedValue(
      (bookingSystems, outbound, { installations, requestBudgets }, sessionKeepers) =>
        createBookingSystemConnector({
          bookingSystems,
          outbound,
          installations,
          requestBudgets,
          sessionKeepers,
        }),
      [
        bookingSystemTokens.resolver,
        hostTokens.outbound,
        hostTokens.store,
        bookingSystemTokens.sessionKeepers,
      ],
    );
  });
}
