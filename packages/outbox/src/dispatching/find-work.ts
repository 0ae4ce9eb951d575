import { arrayOf, prepared } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../data/tables.ts';
import { isHeld } from '../destinations/hold-destinations.ts';
import { ownShard } from './claim.ts';

/** A destination with something to send. */
export interface DestinationWork {
  readonly destination: string;
  readonly pool: string;
  /** A first attempt is due. */
  readonly fresh: boolean;
  /** A retry is due. */
  readonly retrying: boolean;
  /** Whether its requests are limited: see `takeFirstRequests`. */
  readonly limited: boolean;
  /** Whether the last call to it failed. */
  readonly failing: boolean;
}

/** The destinations with work in the range that was searched. */
export interface WorkFound {
  readonly work: DestinationWork[];
  /** Where to continue; empty to start over. */
  readonly after: string;
}

export interface WorkRequest {
  readonly dispatcher: string;
  /** The destination to continue after, from the previous search; empty to start over. */
  readonly after: string;
  /** The busy lanes, by destination. */
  readonly busyLanes: ReadonlyMap<string, readonly number[]>;
}

// Each step is one index probe, so that a poll costs the same however many messages wait or are dead.
const maxSteps = 500;

// Not `exists`, which PostgreSQL would evaluate for all destinations at once, over everything that is due.
const isDue = (retrying: boolean): RawBuilder<boolean> => sql`
  coalesce((select true from pending p where p.destination = w.destination
    and p.retrying = ${sql.lit(retrying)} and p.due_at <= now() and p.lane <> all (w.busy) limit 1), false)`;

/**
 * Searches, without locks, for active destinations in the dispatcher's own shards that are not held and have something
 * due, starting after one destination. Callers continue from `after`, so that each of many destinations gets its turn.
 */
export async function findWork(
  database: Database,
  { dispatcher, after, busyLanes }: WorkRequest,
): Promise<WorkFound> {
  const destinations = [...busyLanes.keys()];
  const lanes = [...busyLanes.values()].map(arrayOf);
  const { rows } = await sql<DestinationWork & { readonly own: boolean }>`${prepared}
with recursive walk (destination, step) as (
  (select p.destination, 1 from pending p where p.destination > ${after} order by p.destination limit 1)
  union all
  select (select p.destination from pending p where p.destination > w.destination
    order by p.destination limit 1), w.step + 1
  from walk w where w.destination is not null and w.step < ${maxSteps}::integer),
walked as materialized (
  select w.destination, t.pool, h.id is not null as own, t.consecutive_failures,
    t.request_budget is not null as limited, coalesce(b.lanes::integer[], '{}') as busy
  from walk w
  left join (destination t ${ownShard(dispatcher)})
    on t.id = w.destination and t.status = 'active' and not ${isHeld}
  left join unnest(${destinations}::text[], ${lanes}::text[]) b (destination, lanes)
    on b.destination = w.destination
  where w.destination is not null)
select w.destination, coalesce(w.pool, '') as pool, w.own, coalesce(w.consecutive_failures > 0, false) as failing,
  coalesce(w.limited, false) as limited,
  w.own and ${isDue(false)} as fresh, w.own and ${isDue(true)} as retrying
from walked w
order by w.destination`.execute(database);
  return {
    work: rows.filter(({ fresh, retrying }) => fresh || retrying).map(({ own: _, ...work }) => work),
    after: rows.length < maxSteps ? '' : (rows.at(-1)?.destination ?? ''),
  };
}
