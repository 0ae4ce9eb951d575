import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { arrivalRoutes } from './arrival-routes.ts';
import { dayRoute } from './day-route.ts';
import { createDayReader } from './read-day.ts';
import { createDayRefresh } from './refresh-day.ts';

/** The days on which guests come: who is expected, who has signed, who has arrived. */
export const daysModule = new ContainerModule(({ bind }) => {
  bind(tokens.dayReader).toResolvedValue(...using(['store'], createDayReader));
  bind(tokens.dayRefresh).toResolvedValue(
    ...using(['store', 'dayReader', 'bookingLister', 'bookingSystems', 'log'], createDayRefresh),
  );
  for (const addRoutes of [dayRoute, arrivalRoutes]) bind(tokens.routes).toConstantValue(addRoutes);
});
