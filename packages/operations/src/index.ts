export { HostMetrics } from './metrics.ts';
export { MachineRoutes, operationsModule } from './operations-module.ts';
export { overviewModule } from './overview-routes.ts';
export { endConnectionsWhileDraining, Readiness } from './readiness.ts';
