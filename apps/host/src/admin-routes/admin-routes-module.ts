import { RouteModule } from '@waiver-service/http';
import { ContainerModule } from 'inversify';
import { AlertRoutes } from './alerts/alert-routes.ts';
import { AuditRoute } from './audit-route.ts';
import { FormRoutes } from './form-routes.ts';
import { GuestRecordRoutes } from './guest-routes.ts';
import { OverviewRoutes } from './overview-routes.ts';
import { meRoute, PersonRoutes } from './person-routes.ts';

export const adminRoutesModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).toConstantValue({ addRoutes: meRoute });
  bind(RouteModule).to(PersonRoutes);
  bind(RouteModule).to(AuditRoute);
  bind(RouteModule).to(FormRoutes);
  bind(RouteModule).to(OverviewRoutes);
  bind(RouteModule).to(GuestRecordRoutes);
  bind(RouteModule).to(AlertRoutes);
});
