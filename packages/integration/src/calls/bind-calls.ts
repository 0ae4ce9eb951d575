import { RouteModule } from '@waiver-service/http';
import type { ContainerModuleLoadOptions } from 'inversify';
import { BackgroundWork } from '../background-loop.ts';
import { AuthorizeRoute } from './authorize-route.ts';
import { BookingRefresh } from './booking-refresh.ts';
import { ChangePolling } from './change-polling.ts';
import { InboundAuthenticity } from './inbound-authenticity.ts';
import { InboundRoute } from './inbound-route.ts';
import { createKeyThrottle, KeyThrottle } from './install-key.ts';
import { InstallRoutes } from './install-routes.ts';
import { NoticeTaker } from './take-notice.ts';
import { WebhookKeeper } from './webhook-keeper.ts';

/** The routes that booking systems call, and the background reader of changed bookings. */
export function bindCalls({ bind }: ContainerModuleLoadOptions): void {
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
