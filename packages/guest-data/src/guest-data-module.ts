import { RouteModule } from '@waiver-service/http';
import { Store } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { GuestStore, openGuestStore } from './data/guest-store.ts';
import { GuestRecordRoutes } from './guest-routes.ts';

/** The rights of guests to their data, and holds. */
export const guestDataModule = new ContainerModule(({ bind }) => {
  bind(GuestStore).toResolvedValue(openGuestStore, [Store]);
  bind(RouteModule).to(GuestRecordRoutes);
});
