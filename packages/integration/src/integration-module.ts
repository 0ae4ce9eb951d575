import { type BookingSystemPlugin, manifestSchema } from '@waiver-service/core';
import { PoolFinder, RouteModule } from '@waiver-service/http';
import type { FastifyBaseLogger } from 'fastify';
import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { BookingSystemRoutes } from './admin/booking-system-routes.ts';
import { CheckInstallationRoutes, TestInstallationRoute } from './admin/check-installation-routes.ts';
import { DeliveryRoutes, DestinationRoutes } from './admin/delivery-routes.ts';
import { InstallationRoutes } from './admin/installation-routes.ts';
import { PoolRoutes } from './admin/pool-routes.ts';
import { UnmatchedWaiverRoutes, WaiverBookingRoutes } from './admin/waiver-booking-routes.ts';
import { WebhookRoutes } from './admin/webhook-routes.ts';
import { BackgroundWork } from './background-loop.ts';
import { AuthorizeRoute } from './calls/authorize-route.ts';
import { BookingRefresh } from './calls/booking-refresh.ts';
import { ChangePolling } from './calls/change-polling.ts';
import { InboundAuthenticity } from './calls/inbound-authenticity.ts';
import { InboundRoute } from './calls/inbound-route.ts';
import { createKeyThrottle, KeyThrottle } from './calls/install-key.ts';
import { InstallRoutes } from './calls/install-routes.ts';
import { NoticeTaker } from './calls/take-notice.ts';
import { WebhookKeeper } from './calls/webhook-keeper.ts';
import { IntegrationSettings, Log, Store } from './given.ts';
import { AuthorizationVisits } from './plugins/authorization-visits.ts';
import { Manifest, Plugin } from './plugins/booking-system-resolver.ts';
import { BookingSystemConnector } from './plugins/connect-booking-system.ts';
import { createSessionKeepers, SessionKeepers } from './plugins/session-keepers.ts';
import type { SessionEvent } from './plugins/session-renewals.ts';
import { bindReading } from './reading/booking-routes.ts';
import { bindSending } from './sending/create-sending.ts';
import { WaiverRoutes } from './waivers/waiver-routes.ts';

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

/** The routes that booking systems call, and the background reader of changed bookings. */
function bindCalls({ bind }: ContainerModuleLoadOptions): void {
  bind(BookingRefresh).toSelf();
  bind(BackgroundWork).toService(BookingRefresh);
  bind(ChangePolling).toSelf();
  bind(BackgroundWork).toService(ChangePolling);
  bind(BackgroundWork).to(WebhookKeeper);
  bind(KeyThrottle).toResolvedValue(createKeyThrottle);
  bind(InboundAuthenticity).toSelf();
  bind(NoticeTaker).toSelf();
  bind(RouteModule).to(InstallRoutes);
  bind(RouteModule).to(AuthorizeRoute);
  bind(RouteModule).to(InboundRoute);
}

const adminRoutes = [
  BookingSystemRoutes,
  PoolRoutes,
  InstallationRoutes,
  CheckInstallationRoutes,
  TestInstallationRoute,
  WebhookRoutes,
  DeliveryRoutes,
  DestinationRoutes,
  UnmatchedWaiverRoutes,
  WaiverBookingRoutes,
];

const ofOne = (pool: string | undefined) => (pool === undefined ? undefined : [pool]);

const poolFinders: readonly ((store: Pick<Store, 'deliveries' | 'destinations'>) => PoolFinder)[] = [
  ({ deliveries }) => ({
    kind: 'recovery',
    async find(id) {
      const recovery = await deliveries.recovery(id);
      return recovery && (recovery.pools ?? 'all');
    },
  }),
  ({ deliveries }) => ({ kind: 'delivery', find: async (id) => ofOne(await deliveries.poolOf(id)) }),
  ({ destinations }) => ({ kind: 'destination', find: async (id) => ofOne(await destinations.poolOf(id)) }),
];

/** The contract between booking systems and waivers: its plugins, routes and background work. */
export const integrationModule = (plugins: readonly BookingSystemPlugin[]): ContainerModule =>
  new ContainerModule((options) => {
    const { bind } = options;
    bindPlugins(options, plugins);
    bindCalls(options);
    bindReading(options);
    bindSending(options);
    bind(RouteModule).to(WaiverRoutes);
    for (const routes of adminRoutes) bind(RouteModule).to(routes);
    for (const finder of poolFinders) bind(PoolFinder).toResolvedValue(finder, [Store]);
  });
