import type { Outbound } from '@waiver-service/outbound';
import { auditRequests } from '../audit/audit-requests.ts';
import { createAdminSeal } from '../authentication/admin-seal.ts';
import { authenticateCallers } from '../authentication/bearer-authentication.ts';
import { createCallerIdentification } from '../authentication/identify-callers.ts';
import { bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import type { SessionKeepers } from '../booking-systems/session-keepers.ts';
import { consoleRoutes, readCookies } from '../console/console-routes.ts';
import { type BackgroundWork, hostTokens } from '../container/host-tokens.ts';
import { hostVersion } from '../host-package.ts';
import { createApp } from '../http/create-app.ts';
import type { HostApp } from '../http/host-app.ts';
import { eventsRoute } from '../live-events/events-route.ts';
import { describeApi } from '../openapi/openapi-document.ts';
import { machineRoutes } from '../operations/machine-routes.ts';
import { operationsTokens } from '../operations/operations-module.ts';
import { endConnectionsWhileDraining, type Readiness } from '../operations/readiness.ts';
import { createIssuerSignIn } from '../sign-in/issuer-sign-in.ts';
import { rulesOf } from '../sign-in/person-of-claims.ts';
import { buildContainer, type ContainerParts } from './build-container.ts';

export interface HostParts extends ContainerParts {
  readonly adminToken: string;
}

/** An assembled host that does not listen yet. */
export interface AssembledHost {
  readonly app: HostApp;
  /** The app that serves health, readiness and metrics if `OPERATIONS_PORT` is set. */
  readonly operations: HostApp | undefined;
  readonly readiness: Readiness;
  readonly background: BackgroundWork;
  readonly outbound: Outbound;
  readonly sessionKeepers: Pick<SessionKeepers, 'drain'>;
}

/** Builds the features of a host. Its role determines which routes and background work it has. */
export async function assembleHost(parts: HostParts): Promise<AssembledHost> {
  const { settings, adminToken, baseUrl, store, log, faults, tracing } = parts;
  const container = buildContainer(parts);
  const outbound = container.get(hostTokens.outbound);
  const cells = container.get(hostTokens.cells);
  const metrics = container.get(operationsTokens.metrics);
  const readiness = container.get(operationsTokens.readiness);
  const background = settings.role === 'api' ? [] : container.getAll(hostTokens.background);
  const newApp = () => createApp({ logger: log, trustProxy: settings.trustProxy, faults, tracing, cells });
  const app = newApp();
  metrics.watch(app);
  const audit = auditRequests(app, { store });
  const adminSeal = createAdminSeal(adminToken);
  const identification = createCallerIdentification({
    store,
    adminToken,
    adminSeal,
    signInRules: rulesOf(settings.signInIssuer),
    baseUrl,
    cells,
    onRefused: audit.recordRefusal,
  });
  await readCookies(app);
  authenticateCallers(app, identification, { store, cells });
  await describeApi(app, { version: hostVersion() });
  endConnectionsWhileDraining(app, readiness);
  const operations = settings.operationsPort === undefined ? undefined : newApp();
  machineRoutes(operations ?? app, { readiness, metrics });
  if (settings.role !== 'dispatcher') {
    for (const addRoutes of container.getAll(hostTokens.routes)) addRoutes(app);
    eventsRoute(app, { store, adminSeal, readiness, baseUrl });
    const issuer = createIssuerSignIn(settings.signInIssuer, outbound);
    await consoleRoutes(app, { store, identification, adminSeal, audit, baseUrl, issuer });
  }
  return {
    app,
    operations,
    readiness,
    outbound,
    sessionKeepers: container.get(bookingSystemTokens.sessionKeepers),
    background: {
      start() {
        for (const work of background) work.start();
      },
      async stop() {
        await Promise.all(background.map((work) => work.stop()));
      },
    },
  };
}
