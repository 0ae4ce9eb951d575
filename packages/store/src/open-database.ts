import {
  type ConnectionRenewal,
  checkEncryptionKeys,
  createConnectionRenewal,
  createEncryption,
  createNotifications,
  type EncryptionKey,
  type Schema,
} from '@waiver-service/database';
import { expireLeases } from '@waiver-service/outbox';
import { channels } from './database/notifications.ts';
import { schemaOf } from './database/schema.ts';
import type { Tables } from './database/tables.ts';
import { type HashEmail, openEmailHashes } from './encryption/email-hashes.ts';
import { type FeatureData, reportTo, type StoreContext, type StoreEvent } from './store-context.ts';

export interface OpenDatabaseOptions {
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly maxConnections: number;
  /** No other process uses the database: the leases of a killed host end at once. */
  readonly soleHost: boolean;
  readonly features: readonly FeatureData[];
  readonly onNotice: (event: StoreEvent) => void;
}

/** A migrated database, and the encryption of its columns. */
export interface OpenedDatabase {
  readonly context: StoreContext;
  readonly schema: Schema<Tables>;
  readonly renewal: ConnectionRenewal;
  close(): Promise<void>;
}

const statementTimeoutMs = 30_000;

/** Migrates the database and connects to it. Throws as `openStore` does. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { databaseUrl, encryptionKeys, maxConnections, soleHost, features, onNotice } = options;
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
      features,
      report: reportTo(features),
    },
    schema,
    renewal,
    async close() {
      await notifications.close();
      await database.destroy();
    },
  };
}
