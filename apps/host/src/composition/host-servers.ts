import fastifyCookie from '@fastify/cookie';
import { inject, injectable } from 'inversify';
import { Faults } from '../alerts/fault-reporter.ts';
import { RequestAudit } from '../audit/audit-requests.ts';
import { authenticateCallers } from '../authentication/bearer-authentication.ts';
import { CallerIdentification } from '../authentication/identify-callers.ts';
import { Log, Store } from '../given.ts';
import { hostVersion } from '../host-package.ts';
import { createApp } from '../http/create-app.ts';
import type { HostApp } from '../http/host-app.ts';
import { describeApi } from '../openapi/openapi-document.ts';
import { MachineRoutes } from '../operations/machine-routes.ts';
import { HostMetrics } from '../operations/metrics.ts';
import { endConnectionsWhileDraining, Readiness } from '../operations/readiness.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { Tracing } from '../tracing/tracing.ts';

/** The HTTP servers of a host. Features add their routes to `app`. */
export interface HostApps {
  readonly app: HostApp;
  /** Serves health, readiness and metrics if `OPERATIONS_PORT` is set. */
  readonly operations: HostApp | undefined;
}

@injectable()
export class HostServers {
  constructor(
    @inject(HostSettings) private readonly settings: HostSettings,
    @inject(Store) readonly store: Store,
    @inject(Log) private readonly log: Log,
    @inject(Faults) private readonly faults: Faults,
    @inject(Tracing) private readonly tracing: Tracing,
    @inject(HostMetrics) private readonly metrics: HostMetrics,
    @inject(Readiness) private readonly readiness: Readiness,
    @inject(RequestAudit) private readonly audit: RequestAudit,
    @inject(CallerIdentification) readonly identification: CallerIdentification,
    @inject(MachineRoutes) private readonly machineRoutes: MachineRoutes,
  ) {}

  /** Creates the servers, with all that applies to every route. */
  async create(): Promise<HostApps> {
    const { settings, log: logger, faults, tracing } = this;
    const newApp = () => createApp({ logger, trustProxy: settings.trustProxy, faults, tracing });
    const app = newApp();
    this.metrics.watch(app);
    this.audit.watch(app);
    // Before the hook that authenticates by the console's cookie.
    await app.register(fastifyCookie);
    authenticateCallers(app, this);
    await describeApi(app, { version: hostVersion() });
    endConnectionsWhileDraining(app, this.readiness);
    const operations = settings.operationsPort === undefined ? undefined : newApp();
    this.machineRoutes.addRoutes(operations ?? app);
    return { app, operations };
  }
}
