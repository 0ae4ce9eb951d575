import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { arrayOf } from '../database/rows-of.ts';
import { ownShard } from './claim.ts';
import { isHeld } from './hold-destinations.ts';

/** A destination that has something to send. */
export interface DestinationWork {
  readonly destination: string;
  readonly pool: string;
  /** A first attempt is due. */
  readonly fresh: boolean;
  /** A retry is due. */
  readonly retrying: boolean;
  /** Only so much may be sent to it in a time: see `takeRequests`. */
  readonly limited: boolean;
  /** The last call to it failed. */
  readonly failing: boolean;
}

/** Destinations that have work, as far as was looked. */
export interface WorkFound {
  readonly work: DestinationWork[];
  /** Where to look on from; empty to begin anew. */
  readonly after: string;
}

/** Where to look for work. */
export interface WorkRequest {
  readonly dispatcher: string;
  /** The destination to look on from, as the last look said; empty to begin anew. */
  readonly after: string;
  /** By destination: the lanes that this process has something of. */
  readonly busyLanes: ReadonlyMap<string, readonly number[]>;
}

// Each step is one index probe, so that a poll costs the same however much waits and however many are dead.
const maxSteps = 500;

// A limit, not `exists`: PostgreSQL would answer that for all destinations together, from everything that is due.
const isDue = (retrying: boolean): RawBuilder<boolean> => sql`
  coalesce((select true from pending p where p.destination = w.destination
    and p.retrying = ${sql.lit(retrying)} and p.due_at <= now() and p.lane <> all (w.busy) limit 1), false)`;

/**
 * Looks, without a lock, for active destinations of the dispatcher's own shards, not held, that have something due,
 * from one destination on: callers go round by `after`, so that with many destinations each has its turn.
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
