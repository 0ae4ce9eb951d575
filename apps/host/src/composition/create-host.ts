import { mkdirSync } from 'node:fs';
import { openStore, startEmbeddedPostgres } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import { type ImportPackage, loadPlugins } from '../booking-systems/load-plugins.ts';
import { findPluginPackages } from '../booking-systems/plugin-packages.ts';
import type { HostApp } from '../http/host-app.ts';
import { listen, stopListening } from '../http/listening.ts';
import { createLogger } from '../logging/create-logger.ts';
import { dataDirMode, type HostSecrets, hostSecrets } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { type ClosingStack, createClosingStack } from './closing-stack.ts';
import { hostFolder } from './host-package.ts';

/** What tests put in the place of the real thing. */
export interface HostOverrides {
  readonly logger?: FastifyBaseLogger;
  /** The names of the plugin packages, instead of what is installed. */
  readonly pluginPackages?: readonly string[];
  readonly importPackage?: ImportPackage;
}

/** A host that listens. */
export interface Host {
  /** Where it listens. */
  readonly url: string;
  readonly app: HostApp;
  /** The file that holds the generated admin token; `undefined` where the settings gave one. */
  readonly adminTokenFile: string | undefined;
  /** Stops listening, finishes what is in flight, stops sending, closes the database. May be called twice. */
  close(): Promise<void>;
}

async function openDatabase(
  settings: HostSettings,
  { encryptionKeys }: HostSecrets,
  closing: ClosingStack,
  log: FastifyBaseLogger,
) {
  let { databaseUrl } = settings;
  const soleHost = databaseUrl === undefined;
  if (databaseUrl === undefined) {
    const embedded = await startEmbeddedPostgres({
      dataDir: settings.dataDir,
      onMessage: (message) => log.info(message),
    });
    closing.add('PostgreSQL', () => embedded.stop());
    databaseUrl = embedded.url;
  }
  const store = await openStore({
    databaseUrl,
    encryptionKeys,
    soleHost,
    onNotice: (event) => log.warn(event, 'database'),
  });
  closing.add('the store', () => store.close());
  return store;
}

async function start(
  settings: HostSettings,
  overrides: HostOverrides,
  closing: ClosingStack,
  log: FastifyBaseLogger,
): Promise<Host> {
  if (settings.databaseUrl === undefined)
    mkdirSync(settings.dataDir, { recursive: true, mode: dataDirMode() });
  const secrets = hostSecrets(settings);
  const { importPackage = (name) => import(name), pluginPackages = findPluginPackages(hostFolder) } =
    overrides;
  // The database starts in a process of its own; most of the program is loaded meanwhile.
  const [store, { assembleHost }, plugins] = await Promise.all([
    openDatabase(settings, secrets, closing, log),
    import('./assemble-host.ts'),
    loadPlugins(pluginPackages, importPackage, log),
  ]);
  let url = '';
  const { app, background, outbound } = await assembleHost({
    settings,
    baseUrl: () => settings.baseUrl ?? url,
    adminToken: secrets.adminToken,
    store,
    plugins,
    log,
  });
  closing.add('outbound connections', () => outbound.close());
  closing.add('HTTP and sending', async () => {
    await Promise.all([stopListening(app, settings.outboundTimeout + 2_000), background.stop()]);
  });
  url = await listen(app, settings);
  background.start();
  return { url, app, adminTokenFile: secrets.adminTokenFile, close: () => closing.close() };
}

/**
 * Starts a host: database, migrations, plugins, HTTP, sending.
 * @throws whatever kept it from starting, after closing what had been opened
 */
export async function createHost(settings: HostSettings, overrides: HostOverrides = {}): Promise<Host> {
  const log = overrides.logger ?? createLogger(settings.logLevel);
  const closing = createClosingStack(log);
  try {
    return await start(settings, overrides, closing, log);
  } catch (error) {
    await closing.close();
    throw error;
  }
}
