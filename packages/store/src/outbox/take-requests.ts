import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { arrayOf } from '../database/rows-of.ts';
import type { DestinationShare } from './claim.ts';

// The finer, the less of a limit is left unused, and the more is written.
const stepsOfWindow = 20;

/** The requests that were reserved for a destination. */
export interface GrantedShare extends Pick<DestinationShare, 'destination' | 'slots'> {
  /** Milliseconds within which it has to be sent: what is taken is counted from now on. */
  readonly sendWithinMs: number;
}

/**
 * Takes what limited destinations still allow in their time, for all hosts together: a bucket of as many tokens as the
 * limit has requests. A token comes back a whole window after it was taken, so that no window ever has more, wherever
 * it begins; and a twentieth later, because what is sent leaves a little after it was taken. No more is taken than is
 * due. A destination at which another host takes at this moment is left for the next time.
 *
 * @returns the shares that may be claimed; what has none left is not among them.
 */
export async function takeRequests(
  database: Database,
  shares: readonly DestinationShare[],
  retrying: boolean,
): Promise<GrantedShare[]> {
  if (shares.length === 0) return [];
  const destinations = shares.map(({ destination }) => destination);
  const slots = shares.map((share) => share.slots);
  const busy = shares.map(({ busyLanes }) => arrayOf(busyLanes));
  const { rows } = await sql<GrantedShare>`${prepared}
with asked as (
  select * from unnest(${destinations}::text[], ${slots}::integer[], ${busy}::text[]) a (destination, slots, busy)),
held as materialized (
  select r.destination, r.requests, r.window_ms, r.back_at, r.taken, a.slots, a.busy::integer[] as busy
  from asked a join request_limit r on r.destination = a.destination
  order by r.destination for update of r skip locked),
counted as materialized (
  select h.destination, h.back_at, h.taken,
    least(h.slots, due.messages, h.requests - out.taken) as granted,
    to_timestamp((floor(at.ms / at.step) + 2) * at.step / 1000 + h.window_ms / 1000) as next_back
  from held h
  cross join lateral (select extract(epoch from clock_timestamp())::double precision * 1000 as ms,
    h.window_ms / ${stepsOfWindow}::integer as step) at
  cross join lateral (select coalesce(sum(t.taken), 0) as taken
    from unnest(h.back_at, h.taken) t (back_at, taken) where t.back_at > clock_timestamp()) out
  cross join lateral (select count(*) as messages from (select from pending p where p.destination = h.destination
    and p.retrying = ${retrying}::boolean and p.due_at <= now() and p.lane <> all (h.busy) limit h.slots) p) due),
kept as materialized (
  select k.destination, array_agg(k.back_at order by k.back_at) as back_at, array_agg(k.taken order by k.back_at) as taken
  from (
    select c.destination, t.back_at, sum(t.taken)::integer as taken
    from counted c cross join lateral unnest(c.back_at || c.next_back, c.taken || c.granted::integer) t (back_at, taken)
    where c.granted > 0 and t.back_at > clock_timestamp()
    group by c.destination, t.back_at) k
  group by k.destination)
update request_limit r set back_at = k.back_at, taken = k.taken
from kept k join counted c on c.destination = k.destination where r.destination = k.destination
returning r.destination, c.granted::integer as slots, r.window_ms / ${stepsOfWindow}::integer as "sendWithinMs"`.execute(
    database,
  );
  return rows;
}
