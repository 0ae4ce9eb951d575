import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { DestinationKind } from './delivery-types.ts';
import { isHeld } from './hold-destinations.ts';

/** The number of lanes with something to send. */
export interface LaneCount {
  readonly kind: DestinationKind;
  /** `held`: their destination is paused, asked for a hold with `Retry-After`, or has lost its authorization. */
  readonly state: 'waiting' | 'sending' | 'held';
  readonly lanes: number;
}

// Keeps the count cheap however long an outage lasts.
const maxCounted = 10_000;

/** Counts the lanes with something to send, among the first ten thousand messages. */
export async function countLanes(database: Database): Promise<LaneCount[]> {
  const { rows } = await sql<LaneCount>`${prepared}
with sent as materialized (
  select distinct d.destination, d.ordering_key from journal j cross join unnest(j.ids) u (id)
  join delivery d on d.id = u.id
  where exists (select from pending p where p.destination = d.destination and p.id = d.id and p.pool = d.pool)
    or exists (select from ended e where e.id = d.id and e.pool = d.pool and e.state = 'superseded')),
waiting as materialized (
  select distinct destination, ordering_key from (
    select destination, ordering_key from pending limit ${maxCounted}::integer) p
  except select destination, ordering_key from sent)
select t.kind, l.state, count(*) as lanes
from (
  select s.destination, 'sending' as state from sent s
  union all
  select w.destination, case when t.status = 'paused' or ${isHeld} then 'held' else 'waiting' end
  from waiting w join destination t on t.id = w.destination and t.status <> 'closed') l
join destination t on t.id = l.destination
group by t.kind, l.state`.execute(database);
  return rows;
}
