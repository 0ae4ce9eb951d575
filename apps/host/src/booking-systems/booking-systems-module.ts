import { type BookingSystemPlugin, manifestSchema } from '@waiver-service/core';
import type { FastifyBaseLogger } from 'fastify';
import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createAuthorizationVisits } from './authorization-visits.ts';
import { createBookingSystemConnector } from './connect-booking-system.ts';
import { createSessionKeepers } from './session-keepers.ts';
import type { SessionEvent } from './session-renewals.ts';

const sentences: Readonly<Record<SessionEvent['type'], string>> = {
  lost: 'a booking system gives no token to an installation: it needs attention',
  regained: 'a booking system gives tokens to an installation again',
  unrecorded: 'a new token could not be recorded: this process uses it, others will need a new one',
};

/** Logs changes of authorizations. */
const reportSessions =
  (log: Pick<FastifyBaseLogger, 'info' | 'warn'>) =>
  ({ type, installation, error }: SessionEvent): void => {
    const { pool, bookingSystem, destination } = installation;
    const level = type === 'regained' ? 'info' : 'warn';
    log[level]({ pool, bookingSystem, destination, err: error }, sentences[type]);
  };

/** The plugins, and the connector of pools to plugins. The resolver uses the container itself. */
export function bookingSystemsModule(plugins: readonly BookingSystemPlugin[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const plugin of plugins) {
      // The manifest, as plain data, is also bound without a name, because listing finds no named bindings.
      bind(tokens.manifest).toConstantValue(manifestSchema.parse(plugin));
      bind(tokens.plugin).toConstantValue(plugin).whenNamed(plugin.installName);
    }
    bind(tokens.sessionKeepers).toResolvedValue(
      ...using(['store', 'settings', 'log'], ({ store: { sessions }, settings, log }) =>
        createSessionKeepers({
          sessions,
          timeoutMs: settings.outboundTimeout,
          onEvent: reportSessions(log),
        }),
      ),
    );
    bind(tokens.authorizationVisits).toResolvedValue(
      ...using(['store', 'connector', 'baseUrl'], createAuthorizationVisits),
    );
    bind(tokens.connector).toResolvedValue(
      ...using(['bookingSystems', 'outbound', 'store', 'sessionKeepers'], createBookingSystemConnector),
    );
  });
}
