import { sql } from 'kysely';
import { connect } from './database/connect.ts';
import { type ConnectionRenewal, createConnectionRenewal } from './database/connection-renewal.ts';
import { createListReads } from './database/list-reads.ts';
import { migrate } from './database/migrate.ts';
import { createNotifications } from './database/notifications.ts';
import { createReplicaReads } from './database/replica-reads.ts';
import { checkEncryptionKeys } from './encryption/check-encryption-keys.ts';
import { type HashEmail, openEmailHashes } from './encryption/email-hashes.ts';
import { createEncryption, type EncryptionKey } from './encryption/encryption.ts';
import { expireLeases } from './outbox/dispatchers.ts';
import type { StoreContext, StoreEvent } from './store-context.ts';

export interface OpenDatabaseOptions {
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly readUrl: string | undefined;
  readonly maxConnections: number;
  /** No other process uses the database: the leases of a killed host end at once. */
  readonly soleHost: boolean;
  readonly onNotice: (event: StoreEvent) => void;
}

/** A migrated database, its read replica if any, and the encryption of its columns. */
export interface OpenedDatabase {
  readonly context: StoreContext;
  readonly renewal: ConnectionRenewal;
  close(): Promise<void>;
}

const statementTimeoutMs = 30_000;

/** Migrates the database and connects to it. Throws as `openStore` does. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { databaseUrl, encryptionKeys, readUrl, maxConnections, soleHost, onNotice } = options;
  const encryption = createEncryption(encryptionKeys);
  await migrate(databaseUrl, ({ migration, waitsFor, attempts }) => {
    const cause =
      waitsFor === 'turn' ? 'until another host, or a backup that is running, has ended' : 'for a lock';
    const message = `the migration ${migration} waits ${cause}: attempt ${attempts}`;
    onNotice({ kind: 'migration-waits', message });
  });
  const renewal = createConnectionRenewal();
  const database = connect({
    databaseUrl,
    maxConnections,
    renewal,
    statementTimeoutMs,
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
  const replica =
    readUrl === undefined
      ? undefined
      : connect({
          databaseUrl: readUrl,
          maxConnections,
          statementTimeoutMs,
          isBalanced: true,
          onConnectionError: () => {},
        });
  const onReplica = createReplicaReads(database, replica, (error) => {
    const message = error instanceof Error ? error.message : String(error);
    onNotice({ kind: 'replica-failed', message, cause: error });
  });
  // Reports a wrong address now rather than with the first list; the host starts either way.
  if (replica) onReplica((connection) => sql`select`.execute(connection)).catch(() => {});
  const notifications = createNotifications({ database, databaseUrl, renewal });
  return {
    context: {
      database,
      onReplica,
      readList: createListReads(maxConnections),
      encryption,
      hashEmail,
      notifications,
    },
    renewal,
    async close() {
      await notifications.close();
      await Promise.all([database.destroy(), replica?.destroy()]);
    },
  };
}
