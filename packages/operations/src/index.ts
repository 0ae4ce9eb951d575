export { operationsModule, Readiness } from './operations-module.ts';
export { overviewModule } from './overview-routes.ts';
