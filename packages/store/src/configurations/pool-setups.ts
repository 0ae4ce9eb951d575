import { batchCalls } from '../database/batch-calls.ts';
import type { Database } from '../database/database.ts';
import { isSameHash } from '../keys/key-table.ts';
import { hashSecret } from '../keys/secret.ts';
import type { PoolSetup } from './configuration.ts';
import type { ConfigurationOf } from './kept-configurations.ts';
import { type PoolQuestion, type PoolRow, readPools, writeUses } from './read-pools.ts';

const maxBatchSize = 256;

/** Finds out what has to be known to serve a request. Requests that come at once are answered by one statement. */
export interface PoolSetups {
  /** The setup of the pool that an access token opens; undefined where it opens none. */
  ofToken(token: string): Promise<PoolSetup | undefined>;
  /** The setup of a pool; undefined where there is none with this id. */
  ofPool(id: string): Promise<PoolSetup | undefined>;
}

function setupOf(rows: readonly PoolRow[], configurationOf: ConfigurationOf): PoolSetup | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const { pool, prefill_properties: prefillProperties, default_booking_system: defaultBookingSystem } = first;
  const versions = new Map<string, string>();
  const pendingBookingSystems: string[] = [];
  for (const { booking_system, version, pending } of rows) {
    if (booking_system === null || version === null) continue;
    if (pending) pendingBookingSystems.push(booking_system);
    else versions.set(booking_system, version);
  }
  return {
    pool,
    prefillProperties,
    bookingSystems: [...versions.keys()],
    pendingBookingSystems,
    defaultBookingSystem,
    async configurationOf(bookingSystem) {
      const version = versions.get(bookingSystem);
      return version === undefined ? undefined : configurationOf({ pool, bookingSystem, version });
    },
  };
}

const opens = ({ tokenHash }: PoolQuestion, { hash }: PoolRow) =>
  tokenHash === undefined || (hash !== null && isSameHash(hash, tokenHash));

/** Makes what finds out about pools. */
export function createPoolSetups(database: Database, configurationOf: ConfigurationOf): PoolSetups {
  const ask = batchCalls<PoolQuestion, PoolSetup | undefined>({
    maxBatchSize,
    async run(questions) {
      const rows = await readPools(database, questions);
      const used = rows.filter(({ is_use_worth_writing }) => is_use_worth_writing);
      const tokens = used.flatMap(({ token }) => token ?? []);
      if (tokens.length > 0) await writeUses(database, tokens);
      const rowsOf = Map.groupBy(rows, ({ place }) => place);
      return questions.map((question, place) => {
        const answers = (rowsOf.get(place) ?? []).filter((row) => opens(question, row));
        return { status: 'fulfilled', value: setupOf(answers, configurationOf) };
      });
    },
  });
  return {
    ofToken: (token) => ask({ tokenHash: hashSecret(token) }),
    ofPool: (pool) => ask({ pool }),
  };
}
