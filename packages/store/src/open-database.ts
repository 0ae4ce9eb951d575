import { recordCellName } from './cells/cell-name.ts';
import { connect } from './database/connect.ts';
import { type ConnectionRenewal, createConnectionRenewal } from './database/connection-renewal.ts';
import { createReplicaReads } from './database/replica-reads.ts';
import { checkEncryptionKeys } from './encryption/check-encryption-keys.ts';
import { createEncryption, type EncryptionKey } from './encryption/encryption.ts';
import { migrate } from './migrations/migrate.ts';
import { expireLeases } from './outbox/index.ts';
import type { StoreContext, StoreEvent } from './store-context.ts';

/** The database of a store. */
export interface OpenDatabaseOptions {
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly readUrl: string | undefined;
  readonly cell: string | undefined;
  readonly maxConnections: number;
  /** Releases the leases of a killed host at once. */
  readonly soleHost: boolean;
  readonly onNotice: (event: StoreEvent) => void;
}

/** A migrated database, its read replica if there is one, and what encrypts their columns. */
export interface OpenedDatabase {
  readonly context: StoreContext;
  readonly renewal: ConnectionRenewal;
  close(): Promise<void>;
}

const statementTimeoutMs = 30_000;

/** Migrates the database and connects to it. Throws as `openStore` does. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { databaseUrl, encryptionKeys, readUrl, cell, maxConnections, soleHost, onNotice } = options;
  const encryption = createEncryption(encryptionKeys);
  await migrate(databaseUrl, ({ migration, waitsFor, attempts }) => {
    const cause =
      waitsFor === 'backup'
        ? 'until the backup, or the move of a pool, that is running has ended'
        : 'for a lock';
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
  try {
    await checkEncryptionKeys(database, encryption);
    if (cell !== undefined) await recordCellName(database, cell);
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
    onNotice({ kind: 'replica-failed', message });
  });
  return {
    context: { database, onReplica, encryption, databaseUrl, cell },
    renewal,
    async close() {
      await Promise.all([database.destroy(), replica?.destroy()]);
    },
  };
}
