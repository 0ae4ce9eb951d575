import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const most = 500;

/**
 * Frees the lanes whose leases ran out: their process is gone, or could not record. What was in flight is in doubt:
 * it is sent again, with the same body, before anything newer. No try is used; but a delivery that loses its lease
 * again and again waits longer each time, and after as many losses as the schedule has tries it is a dead letter, so
 * that nothing is sent for ever without a record.
 *
 * @param retryScheduleMs the waits before each try.
 * @returns how many lanes were freed.
 */
export async function reclaimLanes(database: Database, retryScheduleMs: readonly number[]): Promise<number> {
  const { rows } = await sql<{ freed: number }>`
with lost as materialized (
  select l.pool, l.destination, l.ordering_key, l.current, l.leased_at, l.lease_token, l.manual,
    l.lost_leases + 1 >= ${retryScheduleMs.length}::integer as is_last
  from lane l where l.state = 'leased' and l.lease_until < now()
  order by l.destination, l.ordering_key limit ${most}::integer for update skip locked),
doubted as (
  update delivery d set in_doubt = true, state = case when x.is_last then 'dead' else d.state end
  from lost x where d.id = x.current and d.pool = x.pool
  returning x.*, d.sequence),
freed as (
  update lane l set
    state = case when x.is_last and l.last_sequence = x.sequence then 'idle' else 'ready' end,
    done_sequence = case when x.is_last then x.sequence else l.done_sequence end,
    current = case when x.is_last then null else l.current end,
    retrying = not x.is_last,
    lost_leases = case when x.is_last then 0 else l.lost_leases + 1 end,
    due_at = now() + case when x.is_last then 0 else (${[...retryScheduleMs]}::double precision[])[l.lost_leases + 1] end
      * interval '1 millisecond',
    lease_token = null, lease_until = null, leased_at = null
  from doubted x
  where l.destination = x.destination and l.ordering_key = x.ordering_key and l.pool = x.pool
    and l.lease_token = x.lease_token
  returning 1),
logged as (
  insert into attempt (pool, delivery, at, duration_ms, outcome, trigger)
  select pool, current, leased_at, extract(epoch from now() - leased_at) * 1000, 'in-doubt',
    case when manual then 'manual' else 'schedule' end
  from doubted)
select count(*) as freed from freed`.execute(database);
  return rows[0]?.freed ?? 0;
}
