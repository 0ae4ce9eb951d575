import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { Client } from 'pg';
import { type OpenStoreOptions, openStore, type Store } from '../store.ts';

export const testKey = (id = 'test'): EncryptionKey => ({ id, key: randomBytes(32) });

/** A store on a separate database, which is dropped when it is closed. */
export interface TestStore {
  readonly store: Store;
  readonly url: string;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** Opens a store for a test, which closes it. */
export async function openTestStore({
  keys = [testKey()],
  empty = false,
  ...options
}: Pick<OpenStoreOptions, 'features' | 'onNotice'> & {
  readonly keys?: readonly EncryptionKey[];
  /** The database has the tables of the store and of `features` only, not those of the whole service. */
  readonly empty?: boolean;
} = {}): Promise<TestStore> {
  const database = await createTestDatabase({ empty });
  const store = await openStore({ databaseUrl: database.url, encryptionKeys: keys, ...options });
  let client: Promise<Client> | undefined;
  return {
    store,
    url: database.url,
    async query(text, values) {
      client ??= connect(database.url);
      return (await (await client).query<Record<string, unknown>>(text, values)).rows;
    },
    async close() {
      await (await client)?.end();
      await store.close();
      await database.drop();
    },
  };
}
