import type { Outbound } from '@waiver-service/outbound';
import { adminRoutes } from '../admin-routes/index.ts';
import { authenticateCallers } from '../authentication/bearer-authentication.ts';
import { bookingRoute } from '../booking-reading/index.ts';
import { createApp } from '../http/create-app.ts';
import type { HostApp } from '../http/host-app.ts';
import { createBookingRefresh, integrationRoutes } from '../integration/index.ts';
import { describeApi } from '../openapi/openapi-document.ts';
import { machineRoutes } from '../operations/machine-routes.ts';
import { createMetrics } from '../operations/metrics.ts';
import { createReadiness, endConnectionsWhileDraining, type Readiness } from '../operations/readiness.ts';
import { createSending } from '../sending/create-sending.ts';
import { reportDispatcher } from '../sending/dispatcher-events.ts';
import { waiverRoutes } from '../waiver-routes/index.ts';
import { buildContainer, type ContainerParts } from './build-container.ts';
import { hostVersion } from './host-package.ts';
import { tokens } from './tokens.ts';

/** What a host is assembled from. */
export interface HostParts extends ContainerParts {
  readonly adminToken: string;
}

/** Work that goes on without requests. */
export interface Background {
  start(): void;
  stop(): Promise<void>;
}

/** An assembled host that does not listen yet. */
export interface AssembledHost {
  readonly app: HostApp;
  /** Health, readiness and metrics on an address of their own, where `OPERATIONS_PORT` is set. */
  readonly operations: HostApp | undefined;
  readonly readiness: Readiness;
  readonly background: Background;
  readonly outbound: Outbound;
}

/** Puts the parts of a host together. Which routes and which background work it has depends on its role. */
export async function assembleHost(parts: HostParts): Promise<AssembledHost> {
  const { settings, adminToken, store, log } = parts;
  const container = buildContainer(parts);
  const services = container.get(tokens.services);
  const metrics = createMetrics({
    inFlight: () => sending.inFlight,
    countLanes: () => store.outbox.countLanes(),
  });
  const sending = createSending({ ...services, onEvent: reportDispatcher(log, metrics) });
  const refresh = createBookingRefresh({
    bookings: store.bookings,
    bookingReader: services.bookingReader,
    log,
  });
  const background = settings.role === 'api' ? [] : [sending, refresh];
  const app = createApp({ logger: log, trustProxy: settings.trustProxy });
  metrics.watch(app);
  authenticateCallers(app, { accessTokens: store.accessTokens, adminToken });
  await describeApi(app, { version: hostVersion() });
  const readiness = createReadiness(() => store.ready());
  endConnectionsWhileDraining(app, readiness);
  const operations =
    settings.operationsPort === undefined
      ? undefined
      : createApp({ logger: log, trustProxy: settings.trustProxy });
  machineRoutes(operations ?? app, { readiness, metrics });
  if (settings.role !== 'dispatcher') {
    integrationRoutes(app, { ...services, wakeRefresh: () => refresh.wake() });
    bookingRoute(app, services);
    waiverRoutes(app, services);
    adminRoutes(app, services);
  }
  return {
    app,
    operations,
    readiness,
    outbound: services.outbound,
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
