import { ContainerModule } from 'inversify';
import { MachineRoutes } from './machine-routes.ts';
import { HostMetrics } from './metrics.ts';
import { Readiness } from './readiness.ts';

export const operationsModule = new ContainerModule(({ bind }) => {
  bind(HostMetrics).toSelf();
  bind(Readiness).toSelf();
  bind(MachineRoutes).toSelf();
});
