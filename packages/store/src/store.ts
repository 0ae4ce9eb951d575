import { createAlertJob } from './alerts/alert-job.ts';
import { type Alerts, createAlerts } from './alerts/alerts.ts';
import { openAnnouncements } from './announcements.ts';
import { type AuditLog, createAuditLog } from './audit/audit-log.ts';
import { createPruneAuditJob } from './audit/prune-job.ts';
import { startBackgroundJobs } from './background/background-jobs.ts';
import { type BookingSystems, createBookingSystems } from './booking-systems/booking-systems.ts';
import { type BookingChangesQueue, createBookingChangesQueue } from './bookings/booking-changes.ts';
import { createBookingWriter } from './bookings/booking-writer.ts';
import { type Bookings, createBookings } from './bookings/bookings.ts';
import { startPruning } from './bookings/prune-bookings.ts';
import { createReconcileJob } from './bookings/reconcile-job.ts';
import { removedBookingsChannelName } from './bookings/removed-bookings.ts';
import type { MovedPools } from './cells/moved-pools.ts';
import { type Changes, createChanges } from './changes/changes.ts';
import { createReadinessCheck, type StoreReadiness } from './database/readiness.ts';
import { createDeliveries, createRecoveryJob, type Deliveries } from './deliveries/index.ts';
import {
  createActivityCounter,
  createDestinationActivities,
  type DestinationActivities,
} from './destination-activity/index.ts';
import {
  createCancelJob,
  createDestinations,
  createWriteUnitJob,
  type Destinations,
} from './destinations/index.ts';
import type { EncryptionKey } from './encryption/encryption.ts';
import type { LiveEvents } from './events/index.ts';
import { createErasureJob, createGuests, type Guests } from './guests/index.ts';
import { createInstallationChecks, type InstallationChecks } from './installations/installation-checks.ts';
import { createInstallations, type Installations } from './installations/installations.ts';
import { type AccessTokens, createAccessTokens } from './keys/access-tokens.ts';
import { type Credentials, createCredentials } from './keys/credentials.ts';
import { createInstallKeys, type InstallKeys } from './keys/install-keys.ts';
import { createIssuerVisits, type IssuerVisits } from './keys/issuer-visits.ts';
import { createPersonSessions, type PersonSessions } from './keys/person-sessions.ts';
import { openDatabase } from './open-database.ts';
import { createOutbox, type Outbox } from './outbox/index.ts';
import { createOverviews, type Overviews } from './overview/overview.ts';
import { createPools, type Pools } from './pools/pools.ts';
import { createRequestBudgets, type RequestBudgets } from './request-budgets/index.ts';
import {
  createPruneDeliveriesJob,
  createPrunedCounts,
  createPruneWaiversJob,
  type OldestKept,
  oldestKept,
  type PrunedCounts,
} from './retention/index.ts';
import {
  type AuthorizationRequests,
  type BookingSystemSessions,
  createAuthorizationRequests,
  createBookingSystemSessions,
} from './sessions/index.ts';
import type { StoreEvent } from './store-context.ts';
import { createVendorWebhooks, type VendorWebhooks } from './vendor-webhooks/vendor-webhooks.ts';
import {
  createFillSearchJob,
  createUnmatchedWaivers,
  createWaivers,
  type UnmatchedWaivers,
  type Waivers,
} from './waivers/index.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';

export interface OpenStoreOptions {
  /** The embedded PostgreSQL's, or an operator's. */
  readonly databaseUrl: string;
  /** The first one, the current key, encrypts; all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Of a read replica, for lists and overviews; the primary serves them if omitted, or if the replica fails. */
  readonly readUrl?: string | undefined;
  /** Of the pool for queries; 10 by default. Listening for notifications takes more. */
  readonly maxConnections?: number;
  /** The name of this cell; keys that are created have it in them. None if omitted. */
  readonly cell?: string | undefined;
  /**
   * Whether no other process uses the database, as with the embedded one. The leases of a killed host are then released
   * at once instead of running out. Default false.
   */
  readonly soleHost?: boolean;
  /** How long entries of the audit log are kept; two years by default, at least a day. */
  readonly auditRetentionMs?: number;
  /** How long ended deliveries are kept; 90 days by default. */
  readonly deliveryRetentionMs?: number;
  /** How long dead letters are kept; a year by default. */
  readonly deadRetentionMs?: number;
  /** From one round that removes what is old to the next; an hour by default. */
  readonly pruneIntervalMs?: number;
  readonly onNotice?: (event: StoreEvent) => void;
}

export interface Store {
  readonly pools: Pools;
  readonly movedPools: Omit<MovedPools, 'close'>;
  readonly accessTokens: AccessTokens;
  readonly credentials: Credentials;
  readonly alerts: Alerts;
  readonly auditLog: AuditLog;
  readonly personSessions: PersonSessions;
  readonly issuerVisits: IssuerVisits;
  readonly bookingSystems: BookingSystems;
  readonly installKeys: InstallKeys;
  readonly installations: Installations;
  readonly installationChecks: InstallationChecks;
  readonly sessions: BookingSystemSessions;
  readonly authorizationRequests: AuthorizationRequests;
  readonly bookings: Bookings;
  readonly bookingChanges: BookingChangesQueue;
  readonly waivers: Waivers;
  readonly unmatchedWaivers: UnmatchedWaivers;
  readonly guests: Guests;
  readonly retention: Retention;
  readonly changes: Changes;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly liveEvents: LiveEvents;
  readonly destinations: Destinations;
  readonly destinationActivities: DestinationActivities;
  readonly overviews: Overviews;
  readonly requestBudgets: RequestBudgets;
  readonly vendorWebhooks: VendorWebhooks;
  readonly outbox: Outbox;
  /** Whether the database answers within two seconds, accepts writes and has a schema that this version can use. */
  ready(): Promise<StoreReadiness>;
  /** Waits for running work and closes all connections. Idempotent. */
  close(): Promise<void>;
}

/** Retentions: the ages at which rows are removed. */
export interface Retention {
  /** How much this process has pruned since it was started. */
  readonly pruned: PrunedCounts['counts'];
  /** See {@link oldestKept}. */
  oldestKept(): Promise<readonly OldestKept[]>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Migrates the database and opens it.
 *
 * @throws UnsuitableDatabase if PostgreSQL is too old, or this version for the database, or it is that of another cell
 * @throws WrongEncryptionKeys if the database was used with other keys
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { databaseUrl, encryptionKeys, readUrl, cell } = options;
  const { maxConnections = 10, soleHost = false, onNotice = () => {} } = options;
  const { auditRetentionMs = 2 * 365 * dayMs } = options;
  const { deliveryRetentionMs = 90 * dayMs, deadRetentionMs = 365 * dayMs } = options;
  const { pruneIntervalMs: intervalMs = hourMs } = options;
  const opened = await openDatabase({
    databaseUrl,
    encryptionKeys,
    readUrl,
    cell,
    maxConnections,
    soleHost,
    onNotice,
  });
  const { context, renewal } = opened;
  const { database } = context;
  const announcements = openAnnouncements(opened);
  const { wakeChannel, eventChannel, liveEvents, watcher, setups, movedPools } = announcements;
  const { onEnqueued, onChanged, onWithdrawn, thenInvalidateSetups, thenAnnounce, thenRevokeAccess } =
    announcements;
  const pruned = createPrunedCounts();
  const stopPruning = startPruning(database, onNotice);
  const activity = createActivityCounter(database);
  const jobs = startBackgroundJobs(
    [
      createCancelJob(database),
      createRecoveryJob(database, () => {
        onEnqueued();
        eventChannel.requestResync();
      }),
      createWriteUnitJob(database),
      createPruneAuditJob(database, { retentionMs: auditRetentionMs, intervalMs }, (count) =>
        pruned.add('audit-entry', count),
      ),
      createPruneDeliveriesJob(database, { deliveryRetentionMs, deadRetentionMs, intervalMs }, (count) =>
        pruned.add('delivery', count),
      ),
      createPruneWaiversJob(database, intervalMs, (count) => pruned.add('waiver', count)),
      createFillSearchJob(database),
      createReconcileJob(database),
      activity.job,
      createErasureJob(database, {
        deliveryRetentionMs,
        onEnqueued,
        onChanged,
        onWithdrawn: (waiverId) => onWithdrawn({ waiverId }),
      }),
      createAlertJob(database, onEnqueued),
    ],
    onNotice,
  );
  const bookingWriter = createBookingWriter(database, {
    onFollowed: onChanged,
    onEnqueued,
    onNotice,
  });
  eventChannel.onNotification(removedBookingsChannelName, bookingWriter.forgetAll);
  const pools = createPools(context, setups);
  const accessTokens = createAccessTokens(context, setups);
  const bookingSystems = createBookingSystems(context, onEnqueued);
  const installations = createInstallations(context, jobs.wake, onWithdrawn);
  const vendorWebhooks = createVendorWebhooks(context, eventChannel);
  const destinations = createDestinations(context, onEnqueued, eventChannel);
  const outbox = createOutbox(context, wakeChannel, eventChannel, activity.count);
  const credentials = createCredentials(context);
  const personSessions = createPersonSessions(context);
  const webhooks = createWebhooks(context, jobs.wake, onWithdrawn);
  const ready = createReadinessCheck(database, renewal);
  let closing: Promise<void> | undefined;
  return {
    pools: { ...pools, put: thenInvalidateSetups(pools.put) },
    movedPools,
    accessTokens: { ...accessTokens, remove: thenInvalidateSetups(accessTokens.remove) },
    credentials: { ...credentials, remove: thenRevokeAccess(credentials.remove) },
    alerts: createAlerts(context, jobs.wake),
    auditLog: createAuditLog(context),
    personSessions: {
      ...personSessions,
      end: thenRevokeAccess(personSessions.end),
      remove: thenRevokeAccess(personSessions.remove),
    },
    issuerVisits: createIssuerVisits(context),
    bookingSystems: {
      ...bookingSystems,
      put: thenInvalidateSetups(async (installName, change) => {
        const settings = await bookingSystems.put(installName, change);
        await vendorWebhooks.checkSoon(installName);
        return settings;
      }),
    },
    installKeys: createInstallKeys(context),
    installationChecks: createInstallationChecks(context),
    installations: {
      ...installations,
      install: thenInvalidateSetups(thenAnnounce(installations.install)),
      uninstall: thenInvalidateSetups(thenAnnounce(installations.uninstall)),
      approve: thenInvalidateSetups(thenAnnounce(installations.approve)),
      setAddress: thenInvalidateSetups(installations.setAddress),
    },
    sessions: createBookingSystemSessions(context, onEnqueued),
    authorizationRequests: createAuthorizationRequests(context),
    bookings: createBookings(context, bookingWriter),
    bookingChanges: createBookingChangesQueue(context),
    waivers: createWaivers(context, bookingWriter, {
      onEnqueued,
      onChanged,
      onWithdrawn,
    }),
    unmatchedWaivers: createUnmatchedWaivers(database),
    guests: createGuests(context, jobs.wake),
    retention: { pruned: pruned.counts, oldestKept: () => oldestKept(database) },
    changes: createChanges(database, watcher),
    webhooks: {
      ...webhooks,
      create: thenAnnounce(webhooks.create),
      update: thenAnnounce(webhooks.update),
      remove: thenAnnounce(webhooks.remove),
    },
    deliveries: createDeliveries(context, { onEnqueued, onRecovery: jobs.wake, announcer: eventChannel }),
    liveEvents,
    destinations: { ...destinations, resume: thenInvalidateSetups(destinations.resume) },
    destinationActivities: createDestinationActivities(context),
    overviews: createOverviews(context),
    requestBudgets: createRequestBudgets(context),
    vendorWebhooks,
    outbox: {
      ...outbox,
      async pruneAttempts(retentionMs, limit) {
        const count = await outbox.pruneAttempts(retentionMs, limit);
        pruned.add('attempt', count);
        return count;
      },
      hold: (holds) => (holds.length === 0 ? Promise.resolve() : thenInvalidateSetups(outbox.hold)(holds)),
    },
    ready,
    close: () => {
      closing ??= Promise.all([
        stopPruning(),
        jobs.stop().then(() => activity.flush().catch(() => {})),
        bookingWriter.flush(),
        announcements.close(),
      ]).then(() => opened.close());
      return closing;
    },
  };
}
