import {
  checkEncryptionKeys,
  createConnectionRenewal,
  createEncryption,
  createNotifications,
  type EncryptionKey,
  startBackgroundJobs,
} from '@waiver-service/database';
import {
  createCancelJob,
  createOutbox,
  createWriteUnitJob,
  expireLeases,
  type Occurrence,
  type Outbox,
  takeRequests,
} from '@waiver-service/outbox';
import { createAuthorizationRequests } from './booking-systems/authorization-requests.ts';
import { createBookingSystems } from './booking-systems/booking-systems.ts';
import { createBookingSystemSessions } from './booking-systems/sessions.ts';
import { createBookingChangesQueue } from './bookings/booking-changes.ts';
import { createBookings } from './bookings/bookings.ts';
import { createReconcileJob } from './bookings/reconcile-job.ts';
import { createChanges, createChangeWatcher } from './changes/changes.ts';
import { destinationOwners } from './database/destination-owners.ts';
import { channels } from './database/notifications.ts';
import { schemaOf } from './database/schema.ts';
import { createDeliveries } from './deliveries/deliveries.ts';
import { createRecoveryJob } from './deliveries/recoveries.ts';
import { createDestinations } from './destinations/destinations.ts';
import { type HashEmail, openEmailHashes } from './encryption/email-hashes.ts';
import { createInstallationChecks, createInstallations } from './installations/installations.ts';
import { leaveUsualAddress } from './installations/set-address.ts';
import { createVendorWebhooks } from './installations/vendor-webhooks.ts';
import { createInstallKeys } from './keys/booking-system-keys.ts';
import { createPoolSetups } from './pools/pool-setups.ts';
import { createAccessTokens, createPools } from './pools/pools.ts';
import { createPruneDeliveriesJob, createPruneRowsJob, oldestKept, retentionRules } from './retention.ts';
import { type FeatureData, reportTo, type StoreContext, type StoreEvent } from './store-context.ts';
import { createUnmatchedWaivers } from './waivers/follow-booking.ts';
import { createMarkBegunJob } from './waivers/signings.ts';
import { createHolds } from './waivers/waiver-retention.ts';
import { createWaivers } from './waivers/waivers.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export interface OpenStoreOptions {
  /** Of the embedded PostgreSQL, or an operator's. */
  readonly databaseUrl: string;
  /** The first encrypts; all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Of the pool for queries; 10 by default. Listening for notifications takes another. */
  readonly maxConnections?: number;
  /**
   * Whether no other process uses the database, as with the embedded one: the leases of a killed host then end at once.
   * Default false.
   */
  readonly soleHost?: boolean;
  /** How long entries of the audit log are kept; two years by default, at least a day. */
  readonly auditRetentionMs?: number;
  /** How long ended deliveries are kept; 90 days by default. */
  readonly deliveryRetentionMs?: number;
  /** How long dead letters are kept; a year by default. */
  readonly deadRetentionMs?: number;
  /** Between two rounds of pruning; an hour by default. */
  readonly pruneIntervalMs?: number;
  /** The features' tables. Default: the database has only the store's. */
  readonly features?: readonly FeatureData[];
  readonly onNotice?: (event: StoreEvent) => void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The data of the service, in parts. */
export interface Store extends Awaited<ReturnType<typeof openStore>> {}

/** The number of pruned rows, and the ages of the oldest rows kept. */
export type Retention = Store['retention'];

/**
 * Migrates the database and opens it.
 *
 * @throws UnsuitableDatabase if PostgreSQL is too old or behind a pooler that shares its sessions, or this version is too
 *   old for the database
 * @throws WrongEncryptionKeys if the database was used with other keys
 */
export async function openStore({
  databaseUrl,
  encryptionKeys,
  maxConnections = 10,
  soleHost = false,
  auditRetentionMs = 2 * 365 * dayMs,
  deliveryRetentionMs = 90 * dayMs,
  deadRetentionMs = 365 * dayMs,
  pruneIntervalMs: intervalMs = hourMs,
  features = [],
  onNotice = () => {},
}: OpenStoreOptions) {
  const opened = await openDatabase({
    databaseUrl,
    encryptionKeys,
    maxConnections,
    soleHost,
    features,
    onNotice,
  });
  const { context, schema, renewal } = opened;
  const { database, notifications } = context;
  const onEnqueued = () => notifications.announce('outbox');

  const setups = createPoolSetups(database, notifications);
  const watcher = createChangeWatcher(database, (onChange) => notifications.listen('changes', onChange));
  const rules = retentionRules({ auditRetentionMs, deliveryRetentionMs }, features);
  const kinds = ['attempt', ...rules.flatMap(({ kind = [] }) => kind), 'delivery'];
  const pruned: Record<string, number> = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  const countRows = (kind: string, rows: number) => {
    pruned[kind] = (pruned[kind] ?? 0) + rows;
  };
  const count = (kind: string) => countRows.bind(undefined, kind);
  const settings = {
    auditRetentionMs,
    deliveryRetentionMs,
    pruneIntervalMs: intervalMs,
    onPruned: countRows,
  };
  const jobs = startBackgroundJobs(
    [
      createCancelJob(database),
      createRecoveryJob(database, onEnqueued),
      createWriteUnitJob(database),
      createPruneRowsJob(database, rules, Math.min(intervalMs, 10 * minuteMs), countRows),
      createPruneDeliveriesJob(
        context,
        { deliveryRetentionMs, deadRetentionMs, intervalMs },
        count('delivery'),
      ),
      createReconcileJob(database),
      // Before those of features, which end what was begun, so that what was told is taken back.
      createMarkBegunJob(database, intervalMs),
      ...features.flatMap(({ jobs: jobsOf }) => jobsOf?.(context, settings) ?? []),
    ],
    onNotice,
  );
  const vendorWebhooks = createVendorWebhooks(context);
  const bookings = createBookings(context, onNotice);
  const outbox: Outbox = createOutbox({
    ...context,
    owners: destinationOwners,
    onHeld: () => notifications.announce('setups'),
    onPruned: count('attempt'),
  });
  let closing: Promise<void> | undefined;

  return {
    /** For the parts of features, which keep their tables in the same database. */
    context,
    /** Has the background jobs look for work now instead of at the next poll. */
    wake: jobs.wake,
    /** Reports something that changes nothing else in the database. */
    report: (occurrence: Occurrence): Promise<void> =>
      database.transaction().execute((transaction) => context.report(transaction, [occurrence])),
    pools: createPools(context, setups),
    accessTokens: createAccessTokens(context, setups),
    bookingSystems: createBookingSystems(context, {
      checkWebhooks: vendorWebhooks.checkSoon,
      leaveUsualAddress,
    }),
    installKeys: createInstallKeys(context),
    installations: createInstallations(context, jobs.wake),
    installationChecks: createInstallationChecks(context),
    sessions: createBookingSystemSessions(context, onEnqueued),
    authorizationRequests: createAuthorizationRequests(context),
    bookings,
    bookingChanges: createBookingChangesQueue(context),
    waivers: createWaivers(context),
    unmatchedWaivers: createUnmatchedWaivers(database),
    holds: createHolds(database),
    retention: {
      /** Rows pruned by this process since it started. */
      pruned,
      oldestKept: oldestKept.bind(undefined, database),
    },
    changes: createChanges(context, watcher),
    webhooks: createWebhooks(context, jobs.wake),
    deliveries: createDeliveries(context, jobs.wake),
    destinations: createDestinations(context),
    requestBudgets: { take: takeRequests.bind(undefined, database) },
    vendorWebhooks,
    outbox,
    /** Whether the database answers within two seconds, accepts writes and has a schema that this version can use. */
    ready: schema.readinessCheck(database, renewal),
    /** Waits for running work and closes all connections. Idempotent. */
    close(): Promise<void> {
      closing ??= Promise.all([jobs.stop(), watcher.close()]).then(() => opened.close());
      return closing;
    },
  };
}

type DatabaseOption =
  | 'databaseUrl'
  | 'encryptionKeys'
  | 'maxConnections'
  | 'soleHost'
  | 'features'
  | 'onNotice';

/** Migrates the database and connects to it: with the encryption of its columns. Throws as {@link openStore} does. */
export async function openDatabase({
  databaseUrl,
  encryptionKeys,
  maxConnections,
  soleHost,
  features,
  onNotice,
}: Pick<Required<OpenStoreOptions>, DatabaseOption>) {
  const schema = schemaOf(features);
  const encryption = createEncryption(encryptionKeys);
  await schema.migrate(databaseUrl, ({ migration, waitsFor, attempts }) => {
    const cause =
      waitsFor === 'turn' ? 'until another host, or a backup that is running, has ended' : 'for a lock';
    const message = `the migration ${migration} waits ${cause}: attempt ${attempts}`;
    onNotice({ kind: 'migration-waits', message });
  });
  const renewal = createConnectionRenewal();
  const database = schema.connect({
    databaseUrl,
    maxConnections,
    renewal,
    statementTimeoutMs: 30_000,
    onConnectionError: ({ message }) => onNotice({ kind: 'connection-lost', message }),
  });
  let hashEmail: HashEmail;
  try {
    await checkEncryptionKeys(database, encryption);
    hashEmail = await openEmailHashes(database, encryption);
    if (soleHost) await expireLeases(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  const notifications = createNotifications({
    channels,
    database,
    settings: schema.connectionSettings(databaseUrl),
    renewal,
  });
  const report = reportTo(features);
  const context: StoreContext = { database, encryption, hashEmail, notifications, features, report };
  return {
    context,
    schema,
    renewal,
    async close(): Promise<void> {
      await notifications.close();
      await database.destroy();
    },
  };
}
