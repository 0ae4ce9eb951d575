export { operationsModule } from './operations-module.ts';
export { overviewModule } from './overview-routes.ts';
export { Readiness } from './readiness.ts';
