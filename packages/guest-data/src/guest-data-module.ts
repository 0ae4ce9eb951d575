import { RouteModule } from '@waiver-service/http';
import { ContainerModule } from 'inversify';
import { GuestRecordRoutes } from './guest-routes.ts';

export const adminRoutesModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).to(GuestRecordRoutes);
});
