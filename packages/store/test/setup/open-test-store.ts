import { createConnectionRenewal } from '@waiver-service/database';
import type { KyselyPlugin } from 'kysely';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { schema } from '../../src/database/schema.ts';
import type { Database } from '../../src/database/tables.ts';
import type { InstallRequest, InstallResult } from '../../src/index.ts';
import { openTestStore as open, type TestStore } from '../../src/testing/open-test-store.ts';
import { type FurnishedOutbox, furnishOutbox } from '../../src/testing/outbox-fixture.ts';

/** A connection for locks and statements beside the store's, closed when the test ends. */
export async function openSession(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A transaction beside the store that has run a statement, such as one that locks, and is open until it is ended. */
export async function openTransaction(url: string, statement: string): Promise<Client> {
  const client = await openSession(url);
  await client.query('begin');
  await client.query(statement);
  return client;
}

export { testKey } from '../../src/testing/open-test-store.ts';

/** A store on a separate database, closed and dropped when the test ends. */
export async function openTestStore(options: Parameters<typeof open>[0] = {}): Promise<TestStore> {
  const opened = await open(options);
  onTestFinished(opened.close);
  return opened;
}

function countStatements(onStatement: () => void): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      onStatement();
      return result;
    },
  };
}

/** A single connection without a store, closed when the test ends. */
export function openDatabase(databaseUrl: string, onStatement?: () => void): Database {
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    renewal: createConnectionRenewal(),
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  return onStatement === undefined ? database : database.withPlugin(countStatements(onStatement));
}

export const standard = { pool: 'p1', bookingSystem: 'standard' };

/** An install of `standard` for the pool `p1`. */
export const installRequest: InstallRequest = {
  ...standard,
  accountId: 'acc',
  apiKey: 'partner-key',
  information: { region: 'north' },
  writeUnit: 'waiver',
  guestId: 'booking-guest-id',
  takesGuestUpdates: true,
  keyOverlapMs: 3_600_000,
  madeBy: 'booking-system',
};

/** The app pool key that an install issued. */
export function poolKeyOf(result: InstallResult): string {
  if (!('poolKey' in result)) throw new Error(`no pool key: ${result.outcome}`);
  return result.poolKey;
}

/** A store with a pool `p1`. */
export async function openWithPool(options: Parameters<typeof openTestStore>[0] = {}) {
  const opened = await openTestStore(options);
  await opened.store.pools.put({ id: 'p1', name: 'One' });
  return opened;
}

/** A store with a pool `p1` and `standard` installed. */
export async function openInstalledStore(options: Parameters<typeof openTestStore>[0] = {}) {
  const opened = await openWithPool(options);
  await opened.store.installations.install(installRequest);
  return opened;
}

/** A store with a pool `p1`, where `standard` is installed and one webhook listens, unless told otherwise. */
export async function openOutbox(options: FurnishedOutbox & Parameters<typeof openTestStore>[0] = {}) {
  const { writeUnit, installed, webhook, ...ofStore } = options;
  const opened = await openTestStore(ofStore);
  return { ...opened, endpoint: await furnishOutbox(opened.store, { writeUnit, installed, webhook }) };
}
