import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { rowsOf } from '../database/rows-of.ts';
import type { LaneLease } from './delivery-types.ts';

/**
 * Extends leases that are still held.
 *
 * @returns those that are lost: another process may have taken the lane.
 */
export async function extendLeases<Lease extends LaneLease>(
  database: Database,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Lease[]> {
  if (leases.length === 0) return [];
  const parameters = leases.map(({ pool, destination, orderingKey, leaseToken }, place) => ({
    place,
    pool,
    destination,
    ordering_key: orderingKey,
    token: leaseToken,
  }));
  const { rows } = await sql<{ place: number }>`${prepared}
with mine as (
  select * from ${rowsOf(parameters, 'm', {
    place: 'integer',
    pool: 'text',
    destination: 'text',
    ordering_key: 'text',
    token: 'uuid',
  })}),
held as materialized (
  select m.* from mine m
  join lane l on l.destination = m.destination and l.ordering_key = m.ordering_key and l.pool = m.pool
  where l.lease_token = m.token
  order by l.destination, l.ordering_key for update of l)
update lane l set lease_until = now() + ${leaseMs}::integer * interval '1 millisecond'
from held h
where l.destination = h.destination and l.ordering_key = h.ordering_key and l.pool = h.pool
  and l.lease_token = h.token
returning h.place`.execute(database);
  const kept = new Set(rows.map(({ place }) => place));
  return leases.filter((_, place) => !kept.has(place));
}
