import { RouteModule } from '@waiver-service/http';
import { ContainerModule } from 'inversify';
import { FormRoutes } from './form-routes.ts';
import { GuestRecordRoutes } from './guest-routes.ts';
import { OverviewRoutes } from './overview-routes.ts';

export const adminRoutesModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).to(FormRoutes);
  bind(RouteModule).to(OverviewRoutes);
  bind(RouteModule).to(GuestRecordRoutes);
});
