import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { rowsOf } from '../database/rows-of.ts';
import type { LaneLease } from './delivery-types.ts';

/**
 * Gives back lanes whose delivery was not begun: they are as they were before the claim, and the log says nothing.
 * What is not this process's any more is left alone.
 */
export async function giveBack(database: Database, leases: readonly LaneLease[]): Promise<void> {
  if (leases.length === 0) return;
  const parameters = leases.map(({ pool, destination, orderingKey, leaseToken }) => ({
    pool,
    destination,
    ordering_key: orderingKey,
    token: leaseToken,
  }));
  await sql`${prepared}
with mine as (
  select * from ${rowsOf(parameters, 'm', {
    pool: 'text',
    destination: 'text',
    ordering_key: 'text',
    token: 'uuid',
  })}),
held as materialized (
  select l.pool, l.destination, l.ordering_key, m.token from mine m
  join lane l on l.destination = m.destination and l.ordering_key = m.ordering_key and l.pool = m.pool
  where l.lease_token = m.token
  order by l.destination, l.ordering_key for update of l)
update lane l set state = 'ready', current = case when l.retrying then l.current end, lease_token = null,
  lease_until = null, leased_at = null
from held h
where l.destination = h.destination and l.ordering_key = h.ordering_key and l.pool = h.pool
  and l.lease_token = h.token`.execute(database);
}
