import { RouteModule } from '@waiver-service/http';
import { FindKiosk, SigningStore } from '@waiver-service/signing';
import { ContainerModule } from 'inversify';
import { KioskStore, openKioskStore } from './data/kiosk-store.ts';
import { KioskDeviceRoutes, KioskRoutes } from './kiosk-routes.ts';

/** Tablets on which guests sign. */
export const kioskModule = new ContainerModule(({ bind }) => {
  bind(KioskStore).toResolvedValue(openKioskStore, [SigningStore]);
  bind(FindKiosk).toResolvedValue(({ kiosks }: KioskStore) => kiosks.find, [KioskStore]);
  bind(RouteModule).to(KioskRoutes);
  bind(RouteModule).to(KioskDeviceRoutes);
});
