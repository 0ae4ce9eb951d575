import { sql } from 'kysely';
import { connect } from './database/connect.ts';
import { createEncryption, type EncryptionKey } from './encryption/encryption.ts';
import { migrate, newestMigration } from './migrations/migrate.ts';
import { createPools, type Pools } from './pools/pools.ts';
import type { StoreContext } from './store-context.ts';

/** Something that an operator should know and no caller is told. Never holds a secret. */
export interface StoreEvent {
  readonly kind: 'connection-lost';
  readonly message: string;
}

/** What {@link openStore} is told. */
export interface OpenStoreOptions {
  /** Where PostgreSQL is: the embedded one's URL, or the operator's. */
  readonly databaseUrl: string;
  /** The first one encrypts, all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Most connections that queries use; 10 unless told. */
  readonly maxConnections?: number;
  readonly onNotice?: (event: StoreEvent) => void;
}

/** Everything that is kept. */
export interface Store {
  readonly pools: Pools;
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
  const { databaseUrl, encryptionKeys, maxConnections = 10, onNotice = () => {} } = options;
  const encryption = createEncryption(encryptionKeys);
  await migrate(databaseUrl);
  const database = connect({
    databaseUrl,
    maxConnections,
    statementTimeoutMs,
    onConnectionError: ({ message }) => onNotice({ kind: 'connection-lost', message }),
  });
  const context: StoreContext = { database, encryption, databaseUrl };
  let closing: Promise<void> | undefined;
  return {
    pools: createPools(context),
    ready: () => isReady(context),
    close: () => {
      closing ??= database.destroy();
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
