import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { type EncryptionKey, openStore, type Store } from '../../src/index.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { runMigrations } from '../../src/migrations/run-migrations.ts';
import { testKey } from './open-test-store.ts';

/** Runs the migrations before one, by its number. */
export async function migrateBefore(databaseUrl: string, number: string): Promise<void> {
  const database = connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  const before = Object.entries(migrations).filter(([name]) => name < number);
  await runMigrations(database, { migrations: Object.fromEntries(before), onWait: () => {} });
  await database.destroy();
}

/** A database with the migrations before one, by its number, and what runs the rest and opens it. */
export async function openBefore(
  number: string,
  key: EncryptionKey = testKey(),
): Promise<{ client: Client; migrated: () => Promise<Store> }> {
  const { url, drop } = await createTestDatabase({ empty: true });
  await migrateBefore(url, number);
  const client = new Client({ connectionString: url });
  await client.connect();
  const stores: Store[] = [];
  onTestFinished(async () => {
    await client.end();
    for (const store of stores) await store.close();
    await drop();
  });
  return {
    client,
    async migrated() {
      const store = await openStore({ databaseUrl: url, encryptionKeys: [key] });
      stores.push(store);
      return store;
    },
  };
}
