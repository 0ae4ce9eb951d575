import { setTimeout as delay } from 'node:timers/promises';
import { Schema } from '@waiver-service/database';
import { sql } from 'kysely';
import { Client } from 'pg';
import { type Database, migrations, type OwnTables } from '../data/tables.ts';
import { notify } from '../outbox-context.ts';

const sharesQuery = `
  select count(s.id)::integer as shards from dispatcher d left join shard s on s.owner = d.id and not s.draining
  where d.lease_until > now() group by d.id`;

/** Resolves once this many dispatchers share all shards evenly. Rejects after two minutes. */
export async function untilShardsShared(databaseUrl: string, dispatchers: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const deadline = Date.now() + 120_000;
    const even = Array.from({ length: dispatchers }, () => 64 / dispatchers).join();
    let shares = '';
    while (shares !== even) {
      if (Date.now() > deadline)
        throw new Error(`after two minutes the dispatchers own ${shares} shards, not ${even}`);
      await delay(50);
      const { rows } = await client.query<{ shards: number }>(sharesQuery);
      shares = rows.map(({ shards }) => shards).join();
    }
  } finally {
    await client.end();
  }
}

/** Waiting lanes in an otherwise empty database. */
export interface WaitingLanes {
  /** Creates a destination for each number of lanes, with one due message per lane. Returns their ids. */
  seed(lanesOfDestinations: readonly number[]): Promise<string[]>;
  /** Holds all destinations, as a `Retry-After` would. */
  holdBack(): Promise<void>;
  /** Ends the hold and notifies dispatchers. */
  release(): Promise<void>;
  /** Records all waiting messages as delivered. */
  settle(): Promise<void>;
  /** Makes settled messages wait again. */
  waitAgain(): Promise<void>;
  /** Whether any message waits or is being sent. */
  isAnyWaiting(): Promise<boolean>;
  close(): Promise<void>;
}

// Time-ordered like the service's ids, so that messages sent together are adjacent in the index.
const timeOrderedId = sql`
  overlay(gen_random_uuid()::text placing lpad(to_hex(row_number() over ()), 8, '0') from 1 for 8)::uuid`;

const idOf = (index: number) => `destination-${String(index).padStart(5, '0')}`;

async function wait(database: Database): Promise<void> {
  await sql`
insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, takeback, due_at)
select destination, id, pool, ordering_key, nextval('outbox_sequence'), waiver_id, takeback, now() from delivery`.execute(
    database,
  );
}

/** Opens a connection for measurements and tests that need lanes by the million. */
export function openWaitingLanes(databaseUrl: string): WaitingLanes {
  const schema = new Schema<OwnTables>({ migrations, afterMigrating: async () => {} });
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    // The next query on a broken connection fails and reports it.
    onConnectionError: () => {},
  });
  return {
    async seed(lanesOfDestinations) {
      const ids = lanesOfDestinations.map((_, index) => idOf(index));
      const wanted = sql`unnest(${ids}::text[], ${lanesOfDestinations}::integer[]) w (id, lanes)`;
      const keys = sql`${wanted} cross join lateral (select 'waiver-' || w.id || '-' || n as key
        from generate_series(1, w.lanes) n) k`;
      await sql`insert into destination (id, pool, kind) select id, 'measured', 'guest-webhook' from ${wanted}`.execute(
        database,
      );
      await sql`
insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, takeback, body, created_at)
select 'measured', ${timeOrderedId}, w.id, 'guest-webhook', k.key, k.key, 1, false,
  '{"guest":{"id":"' || k.key || '"}}', now()
from ${keys}`.execute(database);
      await wait(database);
      await sql`vacuum (analyze)`.execute(database);
      return ids;
    },
    async holdBack() {
      await sql`update destination set held_until = now() + interval '1 day'`.execute(database);
    },
    async release() {
      await sql`update destination set held_until = null`.execute(database);
      await notify(database, 'outbox');
    },
    async settle() {
      await sql`delete from pending`.execute(database);
      await sql`delete from journal`.execute(database);
    },
    waitAgain: () => wait(database),
    async isAnyWaiting() {
      const { rows } = await sql<{ waits: boolean }>`
select exists (select from pending) as waits`.execute(database);
      return rows[0]?.waits ?? false;
    },
    close: () => database.destroy(),
  };
}
