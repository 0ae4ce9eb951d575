import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { isHeld } from './hold-destinations.ts';

/** A destination that has something to send. */
export interface DestinationWork {
  readonly destination: string;
  readonly pool: string;
  /** Something that was never tried is due. */
  readonly fresh: boolean;
  /** Something that was tried before is due. */
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

// Each step is one index probe, so that a poll costs the same however many lanes wait and however many are dead.
const mostSteps = 500;

// A limit, not `exists`: PostgreSQL would answer that for all destinations together, from every lane that is due.
const isDue = (retrying: boolean) => sql`
  coalesce((select true from lane l where l.destination = w.destination and l.state = 'ready'
    and l.retrying = ${sql.lit(retrying)} and l.due_at <= now() limit 1), false)`;

/**
 * Looks, without a lock, for active destinations, not held, that have something due, from one destination on: callers go round
 * by `after`, so that with many destinations each has its turn.
 */
export async function findWork(database: Database, after: string): Promise<WorkFound> {
  const { rows } = await sql<DestinationWork & { readonly active: boolean }>`${prepared}
with recursive walk (destination, step) as (
  (select l.destination, 1 from lane l where l.state = 'ready' and l.destination > ${after}
    order by l.destination limit 1)
  union all
  select (select l.destination from lane l where l.state = 'ready' and l.destination > w.destination
    order by l.destination limit 1), w.step + 1
  from walk w where w.destination is not null and w.step < ${mostSteps}::integer)
select w.destination, coalesce(t.pool, '') as pool, coalesce(t.status = 'active' and not ${isHeld}, false) as active, coalesce(t.consecutive_failures > 0, false) as failing,
  exists (select from request_limit r where r.destination = w.destination) as limited,
  ${isDue(false)} as fresh, ${isDue(true)} as retrying
from walk w left join destination t on t.id = w.destination
where w.destination is not null
order by w.destination`.execute(database);
  return {
    work: rows
      .filter(({ active, fresh, retrying }) => active && (fresh || retrying))
      .map(({ active: _, ...work }) => work),
    after: rows.length < mostSteps ? '' : (rows.at(-1)?.destination ?? ''),
  };
}
