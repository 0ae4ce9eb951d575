import { sql } from 'kysely';
import { connect } from '../database/connect.ts';
import type { Database } from '../database/database.ts';

/** How much a database holds after years. */
export interface DatabaseSize {
  readonly pools: number;
  readonly waiversPerPool: number;
  /** Of each of them there is one delivery to each of the pool's two destinations. */
  readonly versionsPerWaiver: number;
}

/** The id of a pool, from 1. */
export const grownPoolId = (number: number): string => `pool-${String(number).padStart(5, '0')}`;

const poolsPerStatement = 50;

async function fillPools(database: Database, from: number, to: number, size: DatabaseSize): Promise<void> {
  const pools = sql`generate_series(${from}::integer, ${to}::integer) p (n)
    cross join lateral (select 'pool-' || lpad(p.n::text, 5, '0') as id) pool`;
  const waivers = sql`${pools} cross join lateral (
    select 'w-' || p.n || '-' || w as id, w from generate_series(1, ${size.waiversPerPool}::integer) w) waiver`;
  const versions = sql`${waivers} cross join lateral generate_series(1, ${size.versionsPerWaiver}::integer) version
    cross join lateral (values ('guest-update', pool.id || '-system'), ('guest-webhook', pool.id || '-hook')) d (kind, id)`;
  // Over the last three years, and visits a week later.
  const at = sql`now() - (waiver.w * 1097 + p.n) % 1095 * interval '1 day'`;
  await sql`insert into pool (id, name) select pool.id, 'Pool ' || p.n from ${pools}`.execute(database);
  await sql`
insert into destination (id, pool, kind)
select d.id, pool.id, d.kind from ${pools}
cross join lateral (values ('guest-update', pool.id || '-system'), ('guest-webhook', pool.id || '-hook')) d (kind, id)`.execute(
    database,
  );
  await sql`
insert into installation (pool, booking_system, status, account_id, account_encrypted, write_unit, takes_guest_updates,
  made_by, destination_id, installed_at)
select pool.id, 'standard', 'installed', 'account', 'none', 'waiver', true, 'operator', pool.id || '-system', now() from ${pools}`.execute(
    database,
  );
  await sql`
insert into webhook (id, pool, url, auth_encrypted, destination_id)
select pool.id || '-webhook', pool.id, 'https://receiver.example/' || p.n, 'none', pool.id || '-hook' from ${pools}`.execute(
    database,
  );
  await sql`insert into waiver_id (id, pool) select waiver.id, pool.id from ${waivers}`.execute(database);
  await sql`
insert into waiver (pool, id, version, booking_system, booking_id, booking_guest_id, activities, last_visit,
  last_visit_source, answers, content_hash, created_at, updated_at)
select pool.id, waiver.id, ${size.versionsPerWaiver}::integer, 'standard', 'b-' || p.n || '-' || waiver.w / 4,
  'g-' || waiver.w % 4, '{raft}', ${at} + interval '7 days', 'session',
  json_build_object('name', 'Guest ' || md5(waiver.id), 'email', md5(waiver.id) || '@example.com',
    'dateOfBirth', '1990-05-01', 'minor', false, 'notes', repeat('n', 120))::text,
  sha256(waiver.id::bytea), date_trunc('milliseconds', ${at}), date_trunc('milliseconds', ${at})
from ${waivers}`.execute(database);
  await sql`
with made as (
  insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body, created_at)
  select pool.id, gen_random_uuid(), d.id, d.kind, waiver.id, waiver.id, version, null, false,
    '{"guest":{"id":"' || waiver.id || '","notes":"' || repeat('n', 200) || '"}}', date_trunc('milliseconds', ${at})
  from ${versions} returning pool, id, created_at)
insert into attempt (pool, delivery, at, duration_ms, outcome, status, trigger)
select pool, id, created_at, 120, 'delivered', 200, 'schedule' from made`.execute(database);
}

/**
 * Fills an empty, migrated database with what years of operation leave, by SQL: pools with a booking system and a webhook
 * each, waivers, and deliveries that all arrived.
 *
 * @param onPools - called with the number of pools so far
 */
export async function growDatabase(
  databaseUrl: string,
  size: DatabaseSize,
  onPools: (pools: number) => void = () => {},
): Promise<void> {
  const database = connect({
    databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  try {
    let next = 1;
    const fill = async () => {
      while (next <= size.pools) {
        const from = next;
        next += poolsPerStatement;
        await fillPools(database, from, Math.min(next - 1, size.pools), size);
        onPools(Math.min(next - 1, size.pools));
      }
    };
    await Promise.all([fill(), fill()]);
    await sql`vacuum (analyze)`.execute(database);
  } finally {
    await database.destroy();
  }
}
