import { type BookingSystemPlugin, storedGuestId } from '@waiver-service/core';
import {
  type AppOptions,
  createApp,
  describeApi,
  Faults,
  findPoolsBy,
  type HostApp,
  listen,
  MachineRoutes,
  PoolFinder,
  RequestWatcher,
  ResourcePools,
  RouteModule,
  readCookies,
  stopListening,
} from '@waiver-service/http';
import { createOutbound } from '@waiver-service/outbound';
import { Container, type ContainerModule } from 'inversify';
import { BackgroundWork } from '../background-loop.ts';
import { BaseUrl, IntegrationSettings, Log, Outbound, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { SessionKeepers } from '../plugins/session-keepers.ts';
import { SendingSettings } from '../sending/create-sending.ts';
import { AttemptTracing } from '../sending/dispatcher-events.ts';
import { Authentication, authenticateCallers } from './authenticate-callers.ts';

const operationsGraceMs = 2_000;

/** Durations in milliseconds. */
export interface ServingSettings extends IntegrationSettings, SendingSettings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** `undefined` if what watches the host is served on `port`. */
  readonly operationsPort: number | undefined;
  /** Without a trailing slash. `undefined` if derived from host and port. */
  readonly baseUrl: string | undefined;
  readonly trustProxy: AppOptions['trustProxy'];
  readonly outboundAllow: readonly string[];
  /** Whether this process serves HTTP, sends messages, or both. */
  readonly role: 'all' | 'api' | 'dispatcher';
}

/** Everything that a host is made of. */
export interface ServedParts {
  readonly settings: ServingSettings;
  /** Of the service, for its API document. */
  readonly version: string;
  readonly store: Store;
  readonly log: Log;
  readonly faults: Faults;
  readonly tracing: AppOptions['tracing'] & AttemptTracing;
  readonly plugins: readonly BookingSystemPlugin[];
  /** In the order of their routes in the API document. One of them binds {@link Authentication}. */
  readonly modules: readonly ContainerModule[];
  /** Is given what to close when the host ends, in reverse order. */
  closeLater(name: string, close: () => Promise<void>): void;
}

/** A host that listens. */
export interface ServedModules {
  readonly container: Container;
  readonly app: HostApp;
  readonly url: string;
  /** The URL of what watches the host, if it has a separate port. */
  readonly operationsUrl: string | undefined;
}

/** A port that the host could not listen on. */
export class ListenError extends Error {
  constructor(
    readonly setting: 'PORT' | 'OPERATIONS_PORT',
    readonly address: { readonly host: string; readonly port: number },
    override readonly cause: unknown,
  ) {
    super(`could not listen on port ${address.port} of ${address.host}`);
    this.name = 'ListenError';
  }
}

/** Updates the installations of plugins whose manifests have changed. */
async function applyManifests({ plugins, store, log }: ServedParts): Promise<void> {
  for (const { installName: bookingSystem, writeUnit, contract, capabilities, webhooks } of plugins) {
    const { guestUpdate: takesGuestUpdates, requestLimits } = capabilities;
    const manifest = {
      bookingSystem,
      writeUnit,
      guestId: storedGuestId({ contract, capabilities }),
      takesGuestUpdates,
      requestLimits,
      registersWebhooks: webhooks !== undefined,
    };
    const installations = await store.installations.applyManifest(manifest);
    if (installations > 0)
      log.info({ bookingSystem, installations }, 'the installations of a changed plugin have been updated');
  }
}

function fillContainer(
  { settings, store, log, faults, tracing, modules }: ServedParts,
  baseUrl: BaseUrl,
): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(IntegrationSettings).toConstantValue(settings);
  container.bind(SendingSettings).toConstantValue(settings);
  container.bind(BaseUrl).toConstantValue(baseUrl);
  container.bind(Store).toConstantValue(store);
  container.bind(Log).toConstantValue(log);
  container.bind(Faults).toConstantValue(faults);
  container.bind(AttemptTracing).toConstantValue(tracing);
  const { outboundAllow: allow, outboundTimeout: timeoutMs } = settings;
  container.bind(Outbound).toResolvedValue(() => createOutbound({ allow, timeoutMs }));
  container.bind(BookingSystemResolver).toConstantValue(new BookingSystemResolver(container));
  container.bind(ResourcePools).toDynamicValue(() => findPoolsBy(container.getAll(PoolFinder)));
  container.load(...modules);
  return container;
}

/** The HTTP servers, without the routes of features. */
async function createApps(
  container: Container,
  { settings, log: logger, faults, tracing, version }: ServedParts,
) {
  const newApp = () => createApp({ logger, trustProxy: settings.trustProxy, faults, tracing });
  const app = newApp();
  for (const watcher of container.getAll(RequestWatcher)) watcher.watch(app);
  // Before the hook that authenticates by the console's cookie.
  await readCookies(app);
  authenticateCallers(app, {
    authentication: container.get(Authentication),
    resourcePools: container.get(ResourcePools),
  });
  await describeApi(app, { version });
  const operations = settings.operationsPort === undefined ? undefined : newApp();
  for (const routes of container.getAll(MachineRoutes)) await routes.addRoutes(operations ?? app);
  return { app, operations };
}

async function listenOn(
  app: HostApp,
  address: ListenError['address'],
  setting: ListenError['setting'],
): Promise<string> {
  try {
    return await listen(app, address);
  } catch (error) {
    throw new ListenError(setting, address, error);
  }
}

/**
 * Makes a host of modules: serves their routes, and does their background work.
 * @throws ListenError
 */
export async function serveModules(parts: ServedParts): Promise<ServedModules> {
  const { settings, store, closeLater } = parts;
  const { host, port, operationsPort = 0, role } = settings;
  await applyManifests(parts);
  let url = '';
  const baseUrl = () => settings.baseUrl ?? url;
  const container = fillContainer(parts, baseUrl);
  const { app, operations } = await createApps(container, parts);
  if (role !== 'dispatcher') for (const routes of container.getAll(RouteModule)) await routes.addRoutes(app);
  const background = role === 'api' ? [] : container.getAll(BackgroundWork);
  if (operations) closeLater('operations', () => stopListening(operations, operationsGraceMs));
  const operationsUrl =
    operations && (await listenOn(operations, { host, port: operationsPort }, 'OPERATIONS_PORT'));
  closeLater('outbound connections', () => container.get(Outbound).close());
  closeLater('renewals of sessions', () => container.get(SessionKeepers).drain());
  closeLater('HTTP and sending', async () => {
    await Promise.all([
      stopListening(app, settings.outboundTimeout + 2_000),
      ...background.map((work) => work.stop()),
    ]);
  });
  url = await listenOn(app, { host, port }, 'PORT');
  // A dispatcher serves no vendor, and may not know the public address.
  if (role !== 'dispatcher') await store.vendorWebhooks.setBaseUrl(baseUrl());
  for (const work of background) work.start();
  return { container, app, url, operationsUrl };
}
