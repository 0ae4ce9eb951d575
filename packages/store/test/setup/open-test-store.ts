import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { openStore, type Store, type StoreEvent } from '../../src/index.ts';

export const testKey = (id = 'test'): EncryptionKey => ({ id, key: randomBytes(32) });

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** A store on a separate database, closed and dropped when the test ends. */
export async function openTestStore(
  options: { keys?: readonly EncryptionKey[]; onNotice?: (event: StoreEvent) => void } = {},
): Promise<{
  store: Store;
  url: string;
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
}> {
  const database = await createTestDatabase();
  const { keys = [testKey()], onNotice = () => {} } = options;
  const store = await openStore({ databaseUrl: database.url, encryptionKeys: keys, onNotice });
  let client: Promise<Client> | undefined;
  onTestFinished(async () => {
    await (await client)?.end();
    await store.close();
    await database.drop();
  });
  return {
    store,
    url: database.url,
    async query(text, values) {
      client ??= connect(database.url);
      return (await (await client).query<Record<string, unknown>>(text, values)).rows;
    },
  };
}
