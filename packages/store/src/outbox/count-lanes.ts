import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { DestinationKind } from '../database/tables-outbox.ts';
import { isHeld } from './hold-destinations.ts';

/** How many lanes have something to send. */
export interface LaneCount {
  readonly kind: DestinationKind;
  /** `held`: their destination is paused, or asked for a while without requests. */
  readonly state: 'waiting' | 'sending' | 'held';
  readonly lanes: number;
}

// Lanes beyond so many are not counted, so that a count costs little however long an outage is.
const mostCounted = 10_000;

/** Counts the lanes that have something to send, ten thousand of them at most. */
export async function countLanes(database: Database): Promise<LaneCount[]> {
  const { rows } = await sql<LaneCount>`${prepared}
select c.kind, c.state, count(*) as lanes
from (
  select t.kind, case when l.state = 'leased' then 'sending'
    when t.status = 'paused' or ${isHeld} then 'held' else 'waiting' end as state
  from (
    (select destination, state from lane where state = 'leased' limit ${mostCounted}::integer)
    union all (select destination, state from lane where state = 'ready' limit ${mostCounted}::integer)
    limit ${mostCounted}::integer) l
  join destination t on t.id = l.destination where t.status <> 'closed' or l.state = 'leased') c
group by c.kind, c.state`.execute(database);
  return rows;
}
