import { createFaultReporter, reportNotices, reportPlugins } from '@waiver-service/alerts/fault-reporter';
import { storedGuestId } from '@waiver-service/core';
import { makeFolder, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { preloadSentences } from '@waiver-service/forms';
import type { Faults, HostApp } from '@waiver-service/http';
import { listen, stopListening } from '@waiver-service/http';
import {
  findPluginPackages,
  type ImportPackage,
  loadPlugins,
} from '@waiver-service/integration/load-plugins';
import { openStore } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import { features } from '../features.ts';
import { hostFolder } from '../host-package.ts';
import { createLogger } from '../logging/create-logger.ts';
import { dataDirMode, type HostSecrets, hostSecrets } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { databaseProblem, folderProblem, listenProblem } from '../settings/start-problem.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';

/** Replacements used by tests. */
export interface HostOverrides {
  readonly logger?: FastifyBaseLogger;
  /** The plugin packages to use instead of the installed ones. */
  readonly pluginPackages?: readonly string[];
  readonly importPackage?: ImportPackage;
}

export interface Host {
  readonly url: string;
  readonly app: HostApp;
  /** The URL of health, readiness and metrics, if they have a separate port. */
  readonly operationsUrl: string | undefined;
  /** The file that contains the generated admin token; `undefined` if the settings have one. */
  readonly adminTokenFile: string | undefined;
  /** The folder of the embedded database, if it could not be in `DATA_DIR`. */
  readonly databaseFolder: string | undefined;
  /** Resolves with the reason if the host can no longer work: its embedded database exited permanently. */
  readonly lost: Promise<Error>;
  /** Makes `/readyz` return 503; everything else continues. */
  drain(): void;
  /** Stops listening, finishes open requests, stops sending, closes the database. May be called twice. */
  close(): Promise<void>;
}

const operationsGraceMs = 2_000;

/** Registers what to close when the host ends, in reverse order. */
type CloseLater = (name: string, close: () => Promise<void>) => void;

/** Explains an error in terms of the settings. */
async function explained<T>(work: () => T | Promise<T>, explain: (error: unknown) => unknown): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}

interface Database {
  readonly url: string;
  readonly lost: Promise<Error>;
  readonly folder: string | undefined;
}

async function startDatabase(
  { databaseUrl, dataDir }: HostSettings,
  closeLater: CloseLater,
  log: FastifyBaseLogger,
): Promise<Database> {
  const { promise: lost, resolve: onLost } = Promise.withResolvers<Error>();
  if (databaseUrl !== undefined) return { url: databaseUrl, folder: undefined, lost };
  const embedded = await explained(
    () => startEmbeddedPostgres({ dataDir, onMessage: (message) => log.info(message), onLost }),
    (error) => folderProblem(error, dataDir),
  );
  closeLater('PostgreSQL', () => embedded.stop());
  return { url: embedded.url, folder: embedded.dataDir, lost };
}

async function openDatabase(
  settings: HostSettings,
  { encryptionKeys }: HostSecrets,
  closeLater: CloseLater,
  log: FastifyBaseLogger,
  faults: Faults,
) {
  const { url, folder, lost } = await startDatabase(settings, closeLater, log);
  const soleHost = settings.databaseUrl === undefined;
  const store = await explained(
    () =>
      openStore({
        databaseUrl: url,
        encryptionKeys,
        soleHost,
        auditRetentionMs: settings.auditRetention,
        deliveryRetentionMs: settings.deliveryRetention,
        deadRetentionMs: settings.deadRetention,
        pruneIntervalMs: settings.pruneInterval,
        features,
        onNotice: reportNotices(log, faults),
      }),
    (error) => (soleHost ? error : databaseProblem(error)),
  );
  closeLater('the store', () => store.close());
  return { store, folder, lost };
}

async function startTracing(
  { tracing: settings }: HostSettings,
  closeLater: CloseLater,
  log: FastifyBaseLogger,
): Promise<Tracing> {
  if (settings === undefined) return noTracing;
  const { openTracing } = await import('../tracing/open-tracing.ts');
  const tracing = openTracing(settings, log);
  closeLater('tracing', () => tracing.close());
  return tracing;
}

function secretsOf(settings: HostSettings): HostSecrets {
  if (settings.databaseUrl === undefined) makeFolder(settings.dataDir, dataDirMode());
  return hostSecrets(settings);
}

async function listenForOperations(
  operations: HostApp,
  { host, operationsPort = 0 }: HostSettings,
  closeLater: CloseLater,
): Promise<string> {
  closeLater('operations', () => stopListening(operations, operationsGraceMs));
  const where = { host, port: operationsPort };
  return explained(
    () => listen(operations, where),
    (error) => listenProblem(error, where, 'OPERATIONS_PORT'),
  );
}

function installedPlugins({ plugins }: HostSettings, log: FastifyBaseLogger): readonly string[] {
  const { loaded, unlisted } = findPluginPackages(hostFolder, plugins);
  for (const name of unlisted) {
    log.warn(`The plugin ${name} is installed and not loaded: add it to PLUGINS to load it.`);
  }
  return loaded;
}

async function start(
  settings: HostSettings,
  overrides: HostOverrides,
  closeLater: CloseLater,
  log: FastifyBaseLogger,
): Promise<Omit<Host, 'close'>> {
  const secrets = await explained(
    () => secretsOf(settings),
    (error) => folderProblem(error, settings.dataDir),
  );
  // Closed last, so that requests that end meanwhile are traced.
  const tracing = await startTracing(settings, closeLater, log);
  const { importPackage = (name) => import(name), pluginPackages = installedPlugins(settings, log) } =
    overrides;
  // The database starts in another process; meanwhile most of the program is loaded.
  const faults = createFaultReporter();
  const [{ store, folder, lost }, composition, plugins] = await Promise.all([
    openDatabase(settings, secrets, closeLater, log, faults),
    import('./build-container.ts'),
    loadPlugins(pluginPackages, importPackage, reportPlugins(log, faults)),
    preloadSentences(),
  ]);
  faults.connect(store.report);
  closeLater('the report of faults', () => faults.close());
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
  let url = '';
  const { role } = settings;
  const { BackgroundWork, HostServers, Outbound, Readiness, RouteModule, SessionKeepers } = composition;
  const container = composition.buildContainer(
    {
      settings,
      adminToken: secrets.adminToken,
      baseUrl: () => settings.baseUrl ?? url,
      store: { ...store, waivers: tracing.watchChanges(store.waivers) },
      log,
      faults,
      tracing,
    },
    plugins,
  );
  const { app, operations } = await container.get(HostServers).create();
  if (role !== 'dispatcher') for (const routes of container.getAll(RouteModule)) await routes.addRoutes(app);
  const background = role === 'api' ? [] : container.getAll(BackgroundWork);
  const operationsUrl = operations && (await listenForOperations(operations, settings, closeLater));
  closeLater('outbound connections', () => container.get(Outbound).close());
  closeLater('renewals of sessions', () => container.get(SessionKeepers).drain());
  closeLater('HTTP and sending', async () => {
    await Promise.all([
      stopListening(app, settings.outboundTimeout + 2_000),
      ...background.map((work) => work.stop()),
    ]);
  });
  url = await explained(
    () => listen(app, settings),
    (error) => listenProblem(error, settings),
  );
  // A dispatcher serves no vendor, and may not know the public address.
  if (role !== 'dispatcher') await store.vendorWebhooks.setBaseUrl(settings.baseUrl ?? url);
  for (const work of background) work.start();
  return {
    url,
    operationsUrl,
    app,
    adminTokenFile: secrets.adminTokenFile,
    databaseFolder: folder === settings.dataDir ? undefined : folder,
    lost,
    drain: () => container.get(Readiness).drain(),
  };
}

/**
 * Starts a host: database, migrations, plugins, HTTP, sending.
 * @throws what prevented the start, after closing what had been opened
 */
export async function createHost(settings: HostSettings, overrides: HostOverrides = {}): Promise<Host> {
  const log = overrides.logger ?? createLogger(settings.logLevel);
  await using opened = new AsyncDisposableStack();
  const closeLater: CloseLater = (name, close) =>
    opened.defer(() =>
      close().catch((error: unknown) => log.error({ err: error }, `closing ${name} failed`)),
    );
  const host = await start(settings, overrides, closeLater, log);
  const toClose = opened.move();
  let closing: Promise<void> | undefined;
  return {
    ...host,
    close() {
      closing ??= toClose.disposeAsync();
      return closing;
    },
  };
}
