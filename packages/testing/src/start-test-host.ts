import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import type { BookingSystemPlugin } from '@waiver-service/core';
import type { EncryptionKey } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import type { Faults, HostApp } from '@waiver-service/http';
import { integrationModule, type ServingSettings, serveModules } from '@waiver-service/integration';
import standard from '@waiver-service/plugin-standard';
import standardQuery from '@waiver-service/plugin-standard-query';
import { openStore, type Store } from '@waiver-service/store';
import type { FeatureData } from '@waiver-service/store/features';
import type { Container, ContainerModule } from 'inversify';
import { pino } from 'pino';
import { callsOf, type HostCalls } from './host-calls.ts';
import { withoutFeatures } from './without-features.ts';

const hourMs = 3_600_000;

const defaults: ServingSettings = {
  host: '127.0.0.1',
  port: 0,
  operationsPort: undefined,
  baseUrl: undefined,
  trustProxy: false,
  outboundAllow: ['127.0.0.0/8'],
  outboundTimeout: 20_000,
  role: 'all',
  keyOverlap: 24 * hourMs,
  retrySchedule: [0, 50, 50],
  deliveryConcurrency: 64,
  destinationConcurrency: 8,
  pauseAfter: 24 * hourMs,
  probeInterval: hourMs,
  attemptRetention: 720 * hourMs,
  pruneInterval: hourMs,
};

/** A database that several hosts of a test share. */
export interface SharedDatabase {
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
}

export interface TestHostOptions {
  /** The features' modules, and one that binds their settings, beside the contract's own. */
  readonly modules?: readonly ContainerModule[];
  /** The features' tables. */
  readonly features?: readonly FeatureData[];
  /** Beside `standard` and `standard-query`. */
  readonly plugins?: readonly BookingSystemPlugin[];
  readonly settings?: Partial<ServingSettings>;
  /** Of another host, which drops it; by default the host has one of its own. */
  readonly database?: SharedDatabase;
  readonly faults?: (store: Store) => Faults;
}

/** A host of some features on a real database, and calls to it. */
export interface TestHost extends HostCalls, SharedDatabase {
  readonly url: string;
  /** Of what watches the host, if it has a separate port. */
  readonly operationsUrl: string | undefined;
  readonly app: HostApp;
  readonly container: Container;
  readonly store: Store;
  /** Every line of the log so far. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** Starts a host. Close it. */
export async function startTestHost({
  modules = [],
  features = [],
  plugins: others = [],
  settings,
  database,
  faults = () => ({ report: () => {} }),
}: TestHostOptions = {}): Promise<TestHost> {
  const created = database === undefined ? await createTestDatabase() : undefined;
  const databaseUrl = database?.databaseUrl ?? created?.url ?? '';
  const encryptionKeys = database?.encryptionKeys ?? [{ id: 'test', key: randomBytes(32) }];
  const plugins = [standard, standardQuery, ...others];
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
  const store = await openStore({
    databaseUrl,
    encryptionKeys,
    features,
    onNotice: (notice) => log.warn(notice, 'database'),
  });
  const closings: (() => Promise<void>)[] = [];
  const { url, operationsUrl, container, app } = await serveModules({
    settings: { ...defaults, ...settings },
    version: 'test',
    store,
    log,
    faults: faults(store),
    tracing: { watchRequests: () => {}, recordAttempt: () => undefined },
    plugins,
    modules: [...modules, integrationModule(plugins), withoutFeatures],
    closeLater: (_, close) => void closings.unshift(close),
  });
  return {
    url,
    operationsUrl,
    app,
    container,
    store,
    lines,
    databaseUrl,
    encryptionKeys,
    ...callsOf(url),
    async close() {
      for (const close of closings) await close();
      await store.close();
      await created?.drop();
    },
  };
}
