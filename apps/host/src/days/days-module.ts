import { ContainerModule } from 'inversify';
import { RouteModule } from '../http/host-app.ts';
import { ArrivalRoutes } from './arrival-routes.ts';
import { DayRoute } from './day-route.ts';
import { DayReader } from './read-day.ts';
import { DayRefresh } from './refresh-day.ts';

/** The days on which guests come: who is expected, who has signed, who has arrived. */
export const daysModule = new ContainerModule(({ bind }) => {
  bind(DayReader).toSelf();
  bind(DayRefresh).toSelf();
  bind(RouteModule).to(DayRoute);
  bind(RouteModule).to(ArrivalRoutes);
});
