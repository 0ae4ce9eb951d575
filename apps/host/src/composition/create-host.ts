import { createFaultReporter, reportNotices, reportPlugins } from '@waiver-service/alerts/fault-reporter';
import { makeFolder, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { preloadSentences } from '@waiver-service/forms';
import type { Faults, HostApp } from '@waiver-service/http';
import {
  findPluginPackages,
  type ImportPackage,
  loadPlugins,
} from '@waiver-service/integration/load-plugins';
import { noTracing, type Tracing } from '@waiver-service/operations/tracing';
import { openStore } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import { features } from '../features.ts';
import { hostFolder, hostVersion } from '../host-package.ts';
import { createLogger } from '../logging/create-logger.ts';
import { dataDirMode, type HostSecrets, hostSecrets } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { databaseProblem, folderProblem } from '../settings/start-problem.ts';

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
  const { openTracing } = await import('@waiver-service/operations/open-tracing');
  const tracing = openTracing(settings, { version: hostVersion(), log });
  closeLater('tracing', () => tracing.close());
  return tracing;
}

function secretsOf(settings: HostSettings): HostSecrets {
  if (settings.databaseUrl === undefined) makeFolder(settings.dataDir, dataDirMode());
  return hostSecrets(settings);
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
    import('./serve-features.ts'),
    loadPlugins(pluginPackages, importPackage, reportPlugins(log, faults)),
    preloadSentences(),
  ]);
  faults.connect(store.report);
  closeLater('the report of faults', () => faults.close());
  const { app, url, operationsUrl, readiness } = await composition.serveFeatures({
    settings,
    adminToken: secrets.adminToken,
    store: { ...store, waivers: tracing.watchChanges(store.waivers) },
    log,
    faults,
    tracing,
    plugins,
    closeLater,
  });
  return {
    url,
    operationsUrl,
    app,
    adminTokenFile: secrets.adminTokenFile,
    databaseFolder: folder === settings.dataDir ? undefined : folder,
    lost,
    drain: () => readiness.drain(),
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
