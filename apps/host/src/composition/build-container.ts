import 'reflect-metadata';
import { AlertStore, AlertsSettings, alertsModule } from '@waiver-service/alerts';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { dayBoardModule } from '@waiver-service/day-board';
import { guestDataModule } from '@waiver-service/guest-data';
import {
  createApp,
  describeApi,
  Faults,
  type HostApp,
  ResourcePools,
  RouteModule,
  readCookies,
} from '@waiver-service/http';
import {
  BackgroundWork,
  BaseUrl,
  BookingSystemResolver,
  IntegrationSettings,
  integrationModule,
  Log,
  Outbound,
  SessionKeepers,
  Store,
} from '@waiver-service/integration';
import { invitationsModule } from '@waiver-service/invitations';
import { kioskModule } from '@waiver-service/kiosk';
import {
  endConnectionsWhileDraining,
  HostMetrics,
  MachineRoutes,
  operationsModule,
  overviewModule,
  Readiness,
} from '@waiver-service/operations';
import { createOutbound } from '@waiver-service/outbound';
import {
  AdminToken,
  authenticateCallers,
  CallerIdentification,
  PeopleSettings,
  peopleModule,
  RequestAudit,
} from '@waiver-service/people';
import { SigningSettings, signingModule } from '@waiver-service/signing';
import { Container, inject, injectable } from 'inversify';
import { pagesModule } from '../console/console-module.ts';
import { hostVersion } from '../host-package.ts';
import { sendingModule } from '../sending/sending-module.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { Tracing } from '../tracing/tracing.ts';

/** The HTTP servers of a host. Features add their routes to `app`. */
interface HostApps {
  readonly app: HostApp;
  /** Serves health, readiness and metrics if `OPERATIONS_PORT` is set. */
  readonly operations: HostApp | undefined;
}

@injectable()
class HostServers {
  constructor(
    @inject(HostSettings) private readonly settings: HostSettings,
    @inject(ResourcePools) readonly resourcePools: ResourcePools,
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
    await readCookies(app);
    authenticateCallers(app, this);
    await describeApi(app, { version: hostVersion() });
    endConnectionsWhileDraining(app, this.readiness);
    const operations = settings.operationsPort === undefined ? undefined : newApp();
    this.machineRoutes.addRoutes(operations ?? app);
    return { app, operations };
  }
}

const ofOne = (pool: string | undefined) => (pool === undefined ? undefined : [pool]);

/** The pools of what people name by an id without its pool. */
const findPools = ({ alerts, deliveries, destinations }: AlertStore): ResourcePools => ({
  async alert(id) {
    const alert = await alerts.get(id);
    return alert && (alert.pools ?? 'all');
  },
  async recovery(id) {
    const recovery = await deliveries.recovery(id);
    return recovery && (recovery.pools ?? 'all');
  },
  delivery: async (id) => ofOne(await deliveries.poolOf(id)),
  destination: async (id) => ofOne(await destinations.poolOf(id)),
});

// The start asks for these. It loads them with this module, while the database starts.
export { BackgroundWork, HostServers, Outbound, Readiness, RouteModule, SessionKeepers };

/** Created before the container, because the start awaits them, or fails without them. */
export interface GivenServices {
  readonly settings: HostSettings;
  readonly adminToken: AdminToken;
  readonly baseUrl: BaseUrl;
  readonly store: Store;
  readonly log: Log;
  readonly faults: Faults;
  readonly tracing: Tracing;
}

/** The composition root: each feature is a module that binds its services. */
export function buildContainer(given: GivenServices, plugins: readonly BookingSystemPlugin[]): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(HostSettings).toConstantValue(given.settings);
  container.bind(IntegrationSettings).toConstantValue(given.settings);
  container.bind(SigningSettings).toConstantValue(given.settings);
  container.bind(AlertsSettings).toConstantValue(given.settings);
  container.bind(PeopleSettings).toConstantValue(given.settings);
  container.bind(AdminToken).toConstantValue(given.adminToken);
  container.bind(BaseUrl).toConstantValue(given.baseUrl);
  container.bind(Store).toConstantValue(given.store);
  container.bind(Log).toConstantValue(given.log);
  container.bind(Faults).toConstantValue(given.faults);
  container.bind(Tracing).toConstantValue(given.tracing);
  container
    .bind(Outbound)
    .toResolvedValue(
      ({ outboundAllow: allow, outboundTimeout: timeoutMs }: HostSettings) =>
        createOutbound({ allow, timeoutMs }),
      [HostSettings],
    );
  container.bind(BookingSystemResolver).toConstantValue(new BookingSystemResolver(container));
  container.bind(ResourcePools).toResolvedValue(findPools, [AlertStore]);
  container.bind(HostServers).toSelf();
  // Also the order of the routes in the OpenAPI document.
  container.load(
    operationsModule,
    peopleModule,
    alertsModule,
    sendingModule,
    integrationModule(plugins),
    signingModule,
    kioskModule,
    dayBoardModule,
    invitationsModule,
    overviewModule,
    guestDataModule,
    pagesModule,
  );
  return container;
}
