import { type BookingSystemPlugin, manifestSchema } from '@waiver-service/core';
import type { FastifyBaseLogger } from 'fastify';
import type { ContainerModuleLoadOptions } from 'inversify';
import { Log, Store } from '../given.ts';
import { IntegrationSettings } from '../integration-settings.ts';
import { AuthorizationVisits } from './authorization-visits.ts';
import { Manifest, Plugin } from './booking-system-resolver.ts';
import { BookingSystemConnector } from './connect-booking-system.ts';
import { createSessionKeepers, SessionKeepers } from './session-keepers.ts';
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

/** The plugins, and the connector of pools to plugins. */
export function bindPlugins(
  { bind }: ContainerModuleLoadOptions,
  plugins: readonly BookingSystemPlugin[],
): void {
  for (const plugin of plugins) {
    // The manifest, as plain data, is also bound without a name, because listing finds no named bindings.
    bind(Manifest).toConstantValue(manifestSchema.parse(plugin));
    bind(Plugin).toConstantValue(plugin).whenNamed(plugin.installName);
  }
  bind(SessionKeepers).toResolvedValue(
    ({ sessions }: Store, { outboundTimeout: timeoutMs }: IntegrationSettings, log: Log) =>
      createSessionKeepers({ sessions, timeoutMs, onEvent: reportSessions(log) }),
    [Store, IntegrationSettings, Log],
  );
  bind(AuthorizationVisits).toSelf();
  bind(BookingSystemConnector).toSelf();
}
