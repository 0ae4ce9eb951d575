import { RouteModule } from '@waiver-service/http';
import { ContainerModule } from 'inversify';
import { KioskDeviceRoutes } from './kiosk-device-routes.ts';
import { KioskRoutes } from './kiosk-routes.ts';

/** Tablets on which guests sign. */
export const kioskModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).to(KioskRoutes);
  bind(RouteModule).to(KioskDeviceRoutes);
});
