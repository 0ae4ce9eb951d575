import { sql } from 'kysely';
import { type AccessTokens, createAccessTokens } from './access-tokens/access-tokens.ts';
import { type BookingSystems, createBookingSystems } from './booking-systems/booking-systems.ts';
import { type Bookings, createBookings } from './bookings/bookings.ts';
import { keepPruning } from './bookings/prune-bookings.ts';
import { keepConfigurations } from './configurations/kept-configurations.ts';
import { createPoolSetups } from './configurations/pool-setups.ts';
import { connect } from './database/connect.ts';
import { createDeliveries, type Deliveries } from './deliveries/index.ts';
import { createDestinations, type Destinations } from './destinations/index.ts';
import { createEncryption, type EncryptionKey } from './encryption/encryption.ts';
import { createInstallKeys, type InstallKeys } from './install-keys/install-keys.ts';
import { createInstallations, type Installations } from './installations/installations.ts';
import { migrate, newestMigration } from './migrations/migrate.ts';
import { createOutbox, createWakeChannel, expireLeases, type Outbox } from './outbox/index.ts';
import { createPools, type Pools } from './pools/pools.ts';
import type { StoreContext, StoreEvent } from './store-context.ts';
import { createWaivers, type Waivers } from './waivers/index.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';

/** What {@link openStore} is told. */
export interface OpenStoreOptions {
  /** Where PostgreSQL is: the embedded one's URL, or the operator's. */
  readonly databaseUrl: string;
  /** The first one encrypts, all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Most connections that queries use; 10 unless told. */
  readonly maxConnections?: number;
  /**
   * Whether no other process uses the database now, as with the embedded one, which one host alone can hold. What a
   * killed host was sending is then free at once, not only when its leases run out. Default false.
   */
  readonly soleHost?: boolean;
  readonly onNotice?: (event: StoreEvent) => void;
}

/** Everything that is kept. */
export interface Store {
  readonly pools: Pools;
  readonly accessTokens: AccessTokens;
  readonly bookingSystems: BookingSystems;
  readonly installKeys: InstallKeys;
  readonly installations: Installations;
  readonly bookings: Bookings;
  readonly waivers: Waivers;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly destinations: Destinations;
  readonly outbox: Outbox;
  /** Whether the database answers within two seconds and has every migration. */
  ready(): Promise<boolean>;
  /** Waits for what runs and ends all connections; may be called twice. */
  close(): Promise<void>;
}

const statementTimeoutMs = 30_000;
const readyWithinMs = 2_000;

/**
 * Brings the database up to date and opens it.
 *
 * @throws UnsuitableDatabase where PostgreSQL is too old or the database was made by a newer program.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { databaseUrl, encryptionKeys, maxConnections = 10, soleHost = false, onNotice = () => {} } = options;
  const encryption = createEncryption(encryptionKeys);
  await migrate(databaseUrl);
  const database = connect({
    databaseUrl,
    maxConnections,
    statementTimeoutMs,
    onConnectionError: ({ message }) => onNotice({ kind: 'connection-lost', message }),
  });
  if (soleHost) await expireLeases(database);
  const context: StoreContext = { database, encryption, databaseUrl };
  const configurationOf = keepConfigurations(context);
  const setups = createPoolSetups(database, configurationOf);
  const wakeChannel = createWakeChannel(database, databaseUrl);
  const onEnqueued = () => wakeChannel.wake();
  const stopPruning = keepPruning(database, onNotice);
  const bookings = createBookings(context, onEnqueued);
  let closing: Promise<void> | undefined;
  return {
    pools: createPools(context, setups),
    accessTokens: createAccessTokens(context, setups),
    bookingSystems: createBookingSystems(context),
    installKeys: createInstallKeys(context),
    installations: createInstallations(context, configurationOf),
    bookings,
    waivers: createWaivers(context, onEnqueued, bookings.settled),
    webhooks: createWebhooks(context),
    deliveries: createDeliveries(context, onEnqueued),
    destinations: createDestinations(context, onEnqueued),
    outbox: createOutbox(context, wakeChannel),
    ready: () => isReady(context),
    close: () => {
      closing ??= Promise.all([stopPruning(), bookings.settled(), wakeChannel.close()]).then(() =>
        database.destroy(),
      );
      return closing;
    },
  };
}

async function isReady({ database }: StoreContext): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, readyWithinMs, false);
  });
  const answer = sql`select 1 from migration where name = ${newestMigration}`
    .execute(database)
    .then(({ rows }) => rows.length === 1)
    .catch(() => false);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
