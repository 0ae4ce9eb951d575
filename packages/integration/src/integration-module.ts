import type { BookingSystemPlugin } from '@waiver-service/core';
import { PoolFinder, RouteModule } from '@waiver-service/http';
import { ContainerModule } from 'inversify';
import { BookingSystemRoutes } from './admin/booking-system-routes.ts';
import { CheckInstallationRoutes } from './admin/check-installation-routes.ts';
import { DeliveryRoutes } from './admin/delivery-routes.ts';
import { DestinationRoutes } from './admin/destination-routes.ts';
import { InstallationRoutes } from './admin/installation-routes.ts';
import { PoolRoutes } from './admin/pool-routes.ts';
import { TestInstallationRoute } from './admin/test-installation-route.ts';
import { UnmatchedWaiverRoutes } from './admin/unmatched-waiver-routes.ts';
import { WaiverBookingRoutes } from './admin/waiver-booking-routes.ts';
import { WebhookRoutes } from './admin/webhook-routes.ts';
import { bindCalls } from './calls/bind-calls.ts';
import { Store } from './given.ts';
import { bindPlugins } from './plugins/bind-plugins.ts';
import { bindReading } from './reading/booking-routes.ts';
import { bindSending } from './sending/bind-sending.ts';
import { WaiverRoutes } from './waivers/waiver-routes.ts';

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
