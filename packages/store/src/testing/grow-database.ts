import { type RawBuilder, sql } from 'kysely';
import { schema } from '../database/schema.ts';
import type { Database } from '../database/tables.ts';

/** The size of a database after years of use. */
export interface DatabaseSize {
  readonly pools: number;
  /** Each has three or four versions, each sent to the pool's two destinations: seven deliveries on average. */
  readonly waiversPerPool: number;
}

/** The id of a pool, from 1. */
export const grownPoolId = (number: number): string => `pool-${String(number).padStart(5, '0')}`;

/** The id of the booking of a pool's waiver, both from 1. */
export const grownBookingId = (pool: number, waiver: number): string => `b-${pool}-${Math.floor(waiver / 4)}`;

// The default retentions of hosts, less what would be removed during a measurement.
const deliveryDays = 89;
const attemptDays = 30;

const busyTables = ['waiver_id', 'waiver', 'waiver_search', 'waiver_version', 'delivery', 'attempt'];

/** Drops the busy tables' indexes: building them at the end is much faster. @returns SQL that builds them */
async function dropIndexes(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ drop: string; build: string }>`
select coalesce('alter table ' || t.relname || ' drop constraint ' || k.conname, 'drop index ' || i.relname) as drop,
  coalesce('alter table ' || t.relname || ' add constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid),
    pg_get_indexdef(i.oid)) as build
from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
left join pg_constraint k on k.conindid = i.oid
where t.relnamespace = current_schema()::regnamespace and t.relname = any (${busyTables}::text[])
order by array_position(${busyTables}::text[], t.relname::text) desc, i.relname`.execute(database);
  for (const { drop } of rows) await sql.raw(drop).execute(database);
  return rows.map(({ build }) => build);
}

async function fillPools(database: Database, { pools }: DatabaseSize): Promise<void> {
  const pool = sql`generate_series(1, ${pools}::integer) p (n)
    cross join lateral (select 'pool-' || lpad(p.n::text, 5, '0') as id) pool`;
  await sql`insert into pool (id, name) select pool.id, 'Pool ' || p.n from ${pool}`.execute(database);
  await sql`
insert into destination (id, pool, kind)
select d.id, pool.id, d.kind from ${pool}
cross join lateral (values ('guest-update', pool.id || '-system'), ('guest-webhook', pool.id || '-hook')) d (kind, id)`.execute(
    database,
  );
  await sql`
insert into installation (pool, booking_system, status, account_id, account_encrypted, write_unit, takes_guest_updates,
  made_by, destination_id, installed_at)
select pool.id, 'standard', 'installed', 'account', 'none', 'waiver', true, 'operator', pool.id || '-system', now() from ${pool}`.execute(
    database,
  );
  await sql`
insert into webhook (id, pool, url, auth_encrypted, destination_id)
select pool.id || '-webhook', pool.id, 'https://receiver.example/' || p.n, 'none', pool.id || '-hook' from ${pool}`.execute(
    database,
  );
}

/** One round over all pools, as SQL: a waiver in each, in the order of time, with its versions and deliveries. */
function roundOf(round: number, { pools, waiversPerPool }: DatabaseSize, until: Date) {
  const begin = sql`${until}::timestamptz - interval '1 hour' - ${deliveryDays}::integer * interval '1 day'`;
  const step = sql`(${deliveryDays}::integer * interval '1 day' / ${waiversPerPool}::integer)`;
  // A prime, so that pools with adjacent times are not adjacent.
  const waivers = sql`generate_series(1, ${pools}::integer) p (n) cross join lateral (
    select 'pool-' || lpad(p.n::text, 5, '0') as pool, 'w-' || p.n || '-' || ${round}::integer as id,
      'b-' || p.n || '-' || ${round}::integer / 4 as booking_id, 'g-' || ${round}::integer % 4 as guest_id,
      date_trunc('milliseconds', ${begin} + ${step} * (${round - 1}::integer
        + (p.n::bigint * 7919 % ${pools}::integer)::double precision / ${pools}::integer)) as created_at) w`;
  const versions = 3 + (round % 2);
  const versioned = sql`${waivers} cross join lateral (
    select v.version, w.created_at + v.later as at
    from (values (1, interval '0'), (2, interval '1 minute'), (3, interval '10 minutes'), (4, interval '1 hour')) v (version, later)
    where v.version <= ${versions}::integer) v`;
  const deliveries = sql`${versioned}
    cross join lateral (values ('guest-update', w.pool || '-system'), ('guest-webhook', w.pool || '-hook')) d (kind, destination)
    cross join lateral (select md5(w.id || v.version || d.kind) as hash) h
    cross join lateral (select (lpad(to_hex((extract(epoch from v.at) * 1000)::bigint), 12, '0')
      || '7' || left(h.hash, 3) || '8' || substr(h.hash, 4, 15))::uuid as id) i`;
  return { waivers, versions, versioned, deliveries };
}

type Round = ReturnType<typeof roundOf>;

async function fillWaivers(database: Database, { waivers, versions, versioned }: Round): Promise<void> {
  await sql`insert into waiver_id (id, pool) select w.id, w.pool from ${waivers} order by w.created_at`.execute(
    database,
  );
  await sql`
insert into waiver (pool, id, version, booking_system, booking_id, booking_guest_id, activities, last_visit,
  last_visit_source, answers, content_hash, created_at, updated_at)
select w.pool, w.id, ${versions}::integer, 'standard', w.booking_id, w.guest_id, '{raft}',
  w.created_at + interval '7 days', 'session',
  json_build_object('name', 'Guest ' || md5(w.id), 'email', md5(w.id) || '@example.com',
    'dateOfBirth', '1990-05-01', 'minor', false, 'notes', repeat('n', 120))::text,
  sha256(w.id::bytea), w.created_at, w.created_at + interval '10 minutes'
from ${waivers} order by w.created_at`.execute(database);
  await sql`
insert into waiver_version (pool, waiver_id, version, former_version, at, actor, field_changes, answer_changes)
select w.pool, w.id, v.version, v.version - 1, v.at, 'app',
  case when v.version > 1 then '[{"field":"currentPage","from":"1","to":"2"}]' end,
  case when v.version > 1 then '{"notes":{"from":"' || repeat('o', 60) || '","to":"' || repeat('n', 120) || '"}}' end
from ${versioned} order by v.at`.execute(database);
}

async function fillAttempts(database: Database, { deliveries }: Round, until: Date): Promise<void> {
  await sql`
insert into attempt (pool, delivery, at, duration_ms, outcome, status, trigger)
select w.pool, i.id, v.at + interval '150 milliseconds', 120, 'accepted', 200, 'schedule' from ${deliveries}
where v.at >= ${until}::timestamptz - ${attemptDays}::integer * interval '1 day' order by v.at`.execute(
    database,
  );
}

async function fillDeliveries(database: Database, { deliveries }: Round): Promise<void> {
  await sql`
insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body, created_at)
select w.pool, i.id, d.destination, d.kind, w.id, w.id, v.version, w.booking_id, false,
  '{"guest":{"id":"' || w.id || '","notes":"' || repeat('n', 200) || '"}}', v.at
from ${deliveries} order by v.at`.execute(database);
}

/** Runs statements over two connections, since test machines have two cores. */
async function inTwo(
  connections: readonly Database[],
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  const rest = [...statements];
  const run = async (database: Database) => {
    for (let statement = rest.shift(); statement; statement = rest.shift()) await statement.execute(database);
  };
  await Promise.all(connections.map(run));
}

/**
 * Fills an empty, migrated database by SQL with the data of a long-running service: pools with a booking system and a
 * webhook each; waivers and deliveries of the last 89 days, stored in the order of time, with ids of that time; the
 * attempts of the last 30 days. All deliveries arrived.
 */
export async function growDatabase(databaseUrl: string, size: DatabaseSize): Promise<void> {
  const open = () =>
    schema.connect({ databaseUrl, maxConnections: 1, statementTimeoutMs: 0, onConnectionError: () => {} });
  const connections = [open(), open()] as const;
  const [first, second] = connections;
  try {
    for (const connection of connections) {
      await sql`set synchronous_commit = off; set work_mem = '128MB'; set maintenance_work_mem = '512MB'`.execute(
        connection,
      );
      await sql`set enable_seqscan = on; set enable_bitmapscan = on`.execute(connection);
    }
    const until = new Date();
    const indexes = await dropIndexes(first);
    await fillPools(first, size);
    const rounds = Array.from({ length: size.waiversPerPool }, (_, index) => roundOf(index + 1, size, until));
    // Each table is filled by one connection, which keeps it in the order of time.
    await Promise.all([
      (async () => {
        for (const round of rounds) await fillDeliveries(first, round);
      })(),
      (async () => {
        for (const round of rounds) {
          await fillWaivers(second, round);
          await fillAttempts(second, round, until);
        }
      })(),
    ]);
    await inTwo(
      connections,
      indexes.map((build) => sql.raw(build)),
    );
    await inTwo(
      connections,
      busyTables.map((table) => sql`vacuum (analyze) ${sql.table(table)}`),
    );
    await sql`vacuum (analyze)`.execute(first);
    await sql`checkpoint`.execute(first);
  } finally {
    for (const connection of connections) await connection.destroy();
  }
}
