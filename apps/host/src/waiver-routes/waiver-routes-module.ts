import { ContainerModule } from 'inversify';
import { RouteModule } from '../http/host-app.ts';
import { ChangeWaiverRoute } from './change-waiver-route.ts';
import { CreateWaiverRoute } from './create-waiver-route.ts';
import { ListChangesRoute } from './list-changes-route.ts';
import { ListWaiversRoute } from './list-waivers-route.ts';
import { ReadWaiverRoute } from './read-waiver-route.ts';
import { VoidWaiverRoute } from './void-waiver-route.ts';

export const waiverRoutesModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).to(CreateWaiverRoute);
  bind(RouteModule).to(ListWaiversRoute);
  bind(RouteModule).to(ListChangesRoute);
  bind(RouteModule).to(ReadWaiverRoute);
  bind(RouteModule).to(ChangeWaiverRoute);
  bind(RouteModule).to(VoidWaiverRoute);
});
