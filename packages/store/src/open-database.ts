import {
  type ConnectionRenewal,
  checkEncryptionKeys,
  createConnectionRenewal,
  createEncryption,
  createNotifications,
  type EncryptionKey,
} from '@waiver-service/database';
import { channels } from './database/notifications.ts';
import { schema } from './database/schema.ts';
import { type HashEmail, openEmailHashes } from './encryption/email-hashes.ts';
import { expireLeases } from './outbox/dispatchers.ts';
import type { StoreContext, StoreEvent } from './store-context.ts';

export interface OpenDatabaseOptions {
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly maxConnections: number;
  /** No other process uses the database: the leases of a killed host end at once. */
  readonly soleHost: boolean;
  readonly onNotice: (event: StoreEvent) => void;
}

/** A migrated database, and the encryption of its columns. */
export interface OpenedDatabase {
  readonly context: StoreContext;
  readonly renewal: ConnectionRenewal;
  close(): Promise<void>;
}

const statementTimeoutMs = 30_000;

/** Migrates the database and connects to it. Throws as `openStore` does. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { databaseUrl, encryptionKeys, maxConnections, soleHost, onNotice } = options;
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
  const notifications = createNotifications({
    channels,
    database,
    settings: schema.connectionSettings(databaseUrl),
    renewal,
  });
  return {
    context: {
      database,
      encryption,
      hashEmail,
      notifications,
    },
    renewal,
    async close() {
      await notifications.close();
      await database.destroy();
    },
  };
}
