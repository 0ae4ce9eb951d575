import type { RequestLimits } from '@waiver-service/core';
import { prepared } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from './data/tables.ts';

/*
 * A budget has a bucket of tokens for each of its windows: as many as the window allows requests. A request takes a token
 * from every bucket. A token returns a whole window after it was taken, so that no window exceeds its limit, wherever it
 * begins; plus a step, because a request is sent a little after its token was taken. Tokens taken within the same step
 * return together.
 */

// Finer steps leave less of a limit unused, but take more writes.
const stepsOfWindow = 20;
// If steps were much shorter, requests would often expire unused.
const minStepMs = 100;

/** Milliseconds within which requests taken from a window have to be made. */
export const stepMs = (windowMs: RawBuilder<number>): RawBuilder<number> =>
  sql`greatest(${windowMs} / ${stepsOfWindow}::integer, ${minStepMs}::integer)`;

/** The id of the budget that a booking system's installations share; an installation's own has its destination's id. */
export const sharedBudgetId = (bookingSystem: string): string => `booking-system ${bookingSystem}`;

/** The columns of a row `r` of `request_budget` that {@link roomOf} reads. */
export const budgetColumns: RawBuilder<unknown> = sql`
  r.id, r.requests, r.window_ms, r.back_ms, r.back_window_ms, r.taken, r.urgent_until_ms`;

/** When tokens that were taken at a time return to a window of `b`. */
const backMs = (takenMs: RawBuilder<number>) =>
  sql`(floor(${takenMs} / b.step_ms) + 2) * b.step_ms + b.window_ms`;

/**
 * Follows the CTEs `held`, of locked budgets, and `returned (id, taken_ms, requests)`, of tokens that were taken but not
 * used. Defines the CTEs `bounds` (the windows of each budget, at the time of the lock), `spent` (the tokens that are
 * out) and `room (id, window_ms, requests, left_over, next_ms)`: how many each window has left, and when the next return.
 */
export const roomOf: RawBuilder<unknown> = sql`
locked as materialized (
  select h.id, extract(epoch from clock_timestamp())::double precision * 1000 as now_ms from held h),
bounds as materialized (
  select h.id, w.requests, w.window_ms, ${stepMs(sql`w.window_ms`)} as step_ms, l.now_ms from held h join locked l on l.id = h.id
  cross join lateral unnest(h.requests, h.window_ms) w (requests, window_ms)),
spent as materialized (
  select s.id, s.window_ms, s.back_ms, sum(s.taken)::integer as taken
  from (
    select h.id, t.window_ms, t.back_ms, t.taken from held h
    cross join lateral unnest(h.back_window_ms, h.back_ms, h.taken) t (window_ms, back_ms, taken)
    union all
    select b.id, b.window_ms, ${backMs(sql`r.taken_ms`)}, -r.requests from returned r join bounds b on b.id = r.id) s
  join bounds b on b.id = s.id and b.window_ms = s.window_ms
  where s.back_ms > b.now_ms
  group by s.id, s.window_ms, s.back_ms
  having sum(s.taken) > 0),
room as materialized (
  select b.id, b.window_ms, b.requests, b.requests - coalesce(sum(s.taken), 0) as left_over, min(s.back_ms) as next_ms
  from bounds b left join spent s on s.id = b.id and s.window_ms = b.window_ms
  group by b.id, b.window_ms, b.requests)`;

/** Follows {@link roomOf} and a CTE `granted (id, requests)`: the columns to set in each granted budget, as `k`. */
export const spentWithGranted: RawBuilder<unknown> = sql`(
  select g.id, coalesce(array_agg(s.back_ms) filter (where s.taken > 0), '{}') as back_ms,
    coalesce(array_agg(s.window_ms) filter (where s.taken > 0), '{}') as back_window_ms,
    coalesce(array_agg(s.taken) filter (where s.taken > 0), '{}') as taken
  from granted g
  left join (
    select a.id, a.window_ms, a.back_ms, sum(a.taken)::integer as taken
    from (
      select s.id, s.window_ms, s.back_ms, s.taken from spent s
      union all
      select b.id, b.window_ms, ${backMs(sql`b.now_ms`)}, g.requests from bounds b join granted g on g.id = b.id) a
    group by a.id, a.window_ms, a.back_ms) s on s.id = g.id
  group by g.id) k`;

interface LimitedInstallation {
  readonly destination: string;
  readonly bookingSystem: string;
}

/** Sets or lifts the limits of an installation. Requests taken already stay counted. */
export async function setRequestLimits(
  transaction: DatabaseTransaction,
  { destination, bookingSystem }: LimitedInstallation,
  limits: RequestLimits | undefined,
): Promise<void> {
  if (limits === undefined) {
    await transaction
      .updateTable('destination')
      .set({ requestBudget: null })
      .where('id', '=', destination)
      .execute();
    await transaction.deleteFrom('requestBudget').where('id', '=', destination).execute();
    return;
  }
  const budget = limits.per === 'installation' ? destination : sharedBudgetId(bookingSystem);
  await transaction
    .updateTable('destination')
    .set({ requestBudget: budget })
    .where('id', '=', destination)
    .execute();
  await sql`
insert into request_budget (id, requests, window_ms)
values (${budget}, ${limits.windows.map(({ requests }) => requests)}, ${limits.windows.map(({ windowMs }) => windowMs)})
on conflict (id) do update set requests = excluded.requests, window_ms = excluded.window_ms`.execute(
    transaction,
  );
}

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
