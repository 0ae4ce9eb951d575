import { prepared } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database } from '../data/tables.ts';
import { budgetColumns, roomOf, spentWithGranted, stepMs } from './budget.ts';

/** Requests that were taken but will not be made. */
export interface UnusedRequests {
  /** {@link TakenRequests.takenMs}, when they were taken. */
  readonly takenMs: number;
  readonly requests: number;
}

/** How many requests are wanted, to which installation. */
export interface BudgetRequest {
  readonly destination: string;
  readonly requests: number;
  readonly unused?: UnusedRequests | undefined;
}

/** The requests that may be made. */
export interface TakenRequests {
  readonly requests: number;
  /** Milliseconds within which they have to be made: they count from now on. */
  readonly makeWithinMs: number;
  /** Milliseconds until the next one is available; 0 if any was granted. */
  readonly waitMs: number;
  /** The time by the database's clock, in milliseconds. */
  readonly takenMs: number;
}

// Longer than the round trip to the waiting caller, so that its requests are still there.
const urgentMarginMs = 100;

/**
 * Takes requests for a call in progress from the budget that all hosts share (see `budget.ts`): as many of those wanted
 * as are left. If none is left, no message is started (see the outbox's `takeFirstRequests`) until the next one returns.
 *
 * @returns undefined if the installation's requests are no longer limited
 */
export async function takeRequests(
  database: Database,
  { destination, requests, unused = { takenMs: 0, requests: 0 } }: BudgetRequest,
): Promise<TakenRequests | undefined> {
  const { rows } = await sql<TakenRequests>`${prepared}
with held as materialized (
  select ${budgetColumns} from request_budget r
  where r.id = (select d.request_budget from destination d where d.id = ${destination}) for update of r),
returned as materialized (
  select h.id, ${unused.takenMs}::double precision as taken_ms, ${unused.requests}::integer as requests from held h),
${roomOf},
open as materialized (
  select r.id, greatest(least(min(r.left_over), ${requests}::integer), 0)::integer as requests,
    min(r.window_ms) as window_ms, max(r.next_ms) filter (where r.left_over < 1) as next_ms
  from room r group by r.id),
granted as materialized (select o.id, o.requests from open o),
answer as materialized (
  select o.requests, ${stepMs(sql`o.window_ms`)} as make_within_ms, l.now_ms,
    case when o.requests > 0 or ${requests}::integer = 0 then 0 else greatest(o.next_ms - l.now_ms, 0) end as wait_ms
  from open o join locked l on l.id = o.id),
written as (
  update request_budget r set back_ms = k.back_ms, back_window_ms = k.back_window_ms, taken = k.taken,
    urgent_until_ms = case when a.wait_ms > 0 then a.now_ms + a.wait_ms + ${urgentMarginMs}::integer else r.urgent_until_ms end
  from ${spentWithGranted} cross join answer a where r.id = k.id)
select a.requests, a.make_within_ms, a.wait_ms, a.now_ms as taken_ms from answer a`.execute(database);
  return rows[0];
}
