import fastifyCookie from '@fastify/cookie';
import { authenticateCallers } from '../authentication/bearer-authentication.ts';
import type { HostServices } from '../container/tokens.ts';
import { hostVersion } from '../host-package.ts';
import { createApp } from '../http/create-app.ts';
import type { HostApps } from '../http/host-app.ts';
import { describeApi } from '../openapi/openapi-document.ts';
import { machineRoutes } from '../operations/machine-routes.ts';
import { endConnectionsWhileDraining } from '../operations/readiness.ts';

type Needs =
  | 'settings'
  | 'store'
  | 'log'
  | 'faults'
  | 'tracing'
  | 'metrics'
  | 'readiness'
  | 'audit'
  | 'identification';

/** Creates the servers, with all that applies to every route. */
export async function createHostApps(services: Pick<HostServices, Needs>): Promise<HostApps> {
  const { settings, log: logger, faults, tracing, metrics, readiness, audit } = services;
  const newApp = () => createApp({ logger, trustProxy: settings.trustProxy, faults, tracing });
  const app = newApp();
  metrics.watch(app);
  audit.watch(app);
  // Before the hook that authenticates by the console's cookie.
  await app.register(fastifyCookie);
  authenticateCallers(app, services);
  await describeApi(app, { version: hostVersion() });
  endConnectionsWhileDraining(app, readiness);
  const operations = settings.operationsPort === undefined ? undefined : newApp();
  machineRoutes(operations ?? app, services);
  return { app, operations };
}
