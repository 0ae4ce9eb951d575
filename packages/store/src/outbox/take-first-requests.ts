import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { arrayOf } from '../database/rows-of.ts';
import { budgetColumns, roomOf, spentWithGranted, stepMs } from '../request-budgets/budget.ts';
import type { DestinationShare } from './claim.ts';

// A fifth of each window is reserved for calls that cannot wait: reads of bookings, and later requests of a begun push.
const oneOfWindowReserved = 5;

/** The requests that were reserved for a destination. */
export interface GrantedShare extends Pick<DestinationShare, 'destination' | 'slots'> {
  /** Milliseconds within which the request has to be sent: it counts from now on. */
  readonly sendWithinMs: number;
}

/**
 * Takes the first request of each message that may be sent to limited destinations from budgets that all hosts share (see
 * `budget.ts`). Takes no more than is due, leaves the reserved fifth of each window, and takes nothing while an urgent
 * call waits. Skips a budget that another host has locked, until the next call.
 *
 * @returns the shares that may be claimed, without destinations that got no request.
 */
export async function takeFirstRequests(
  database: Database,
  shares: readonly DestinationShare[],
  retrying: boolean,
): Promise<GrantedShare[]> {
  if (shares.length === 0) return [];
  const destinations = shares.map(({ destination }) => destination);
  const slots = shares.map((share) => share.slots);
  const busy = shares.map(({ busyLanes }) => arrayOf(busyLanes));
  const { rows } = await sql<GrantedShare>`${prepared}
with asked as materialized (
  select a.destination, a.place, d.request_budget as id, a.slots, a.busy::integer[] as busy
  from unnest(${destinations}::text[], ${slots}::integer[], ${busy}::text[])
    with ordinality a (destination, slots, busy, place)
  join destination d on d.id = a.destination),
wanted as materialized (
  select a.destination, a.place, a.id, least(a.slots, due.messages) as messages from asked a
  cross join lateral (select count(*) as messages from (select from pending p where p.destination = a.destination
    and p.retrying = ${retrying}::boolean and p.due_at <= now() and p.lane <> all (a.busy) limit a.slots) p) due),
held as materialized (
  select ${budgetColumns} from request_budget r
  where r.id in (select w.id from wanted w where w.messages > 0)
  order by r.id for update of r skip locked),
returned as (select null::text as id, null::double precision as taken_ms, null::integer as requests where false),
${roomOf},
open as materialized (
  select h.id, min(r.left_over - r.requests / ${oneOfWindowReserved}::integer) as requests, min(r.window_ms) as window_ms
  from held h join locked l on l.id = h.id join room r on r.id = h.id
  where h.urgent_until_ms <= l.now_ms
  group by h.id),
shared as materialized (
  select w.destination, w.id, o.window_ms,
    least(w.messages, o.requests - (sum(w.messages) over (partition by w.id order by w.place) - w.messages)) as slots
  from wanted w join open o on o.id = w.id),
granted as materialized (
  select s.id, sum(s.slots)::integer as requests from shared s where s.slots > 0 group by s.id),
written as (
  update request_budget r set back_ms = k.back_ms, back_window_ms = k.back_window_ms, taken = k.taken
  from ${spentWithGranted} where r.id = k.id)
select s.destination, s.slots::integer as slots, ${stepMs(sql`s.window_ms`)} as send_within_ms
from shared s where s.slots > 0`.execute(database);
  return rows;
}
