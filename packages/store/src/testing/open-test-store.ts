import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '@waiver-service/database';
import {
  createTestDatabase,
  databaseUrl,
  execute,
  serverUrlVariable,
  templateDatabase,
} from '@waiver-service/database/testing';
import { startThrowawayPostgres } from '@waiver-service/embedded-postgres/testing';
import { Client } from 'pg';
import { schemaOf } from '../database/schema.ts';
import { type OpenStoreOptions, openStore, type Store } from '../store.ts';
import type { FeatureData } from '../store-context.ts';

/**
 * Starts the PostgreSQL of a test run, with a migrated database to copy, and sets the environment variable through which
 * test processes find it. Called by the run's global setup.
 *
 * @param features - all of the service
 * @returns stops the server and deletes its data
 */
export async function startTestServer(features: readonly FeatureData[]): Promise<() => Promise<void>> {
  const server = await startThrowawayPostgres();
  try {
    await execute(server.url, `create database ${templateDatabase}`);
    await schemaOf(features).migrate(databaseUrl(server.url, templateDatabase));
  } catch (error) {
    await server.stop();
    throw error;
  }
  process.env[serverUrlVariable] = server.url;
  return async () => {
    delete process.env[serverUrlVariable];
    await server.stop();
  };
}

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
