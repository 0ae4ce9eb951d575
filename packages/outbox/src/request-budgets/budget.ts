import { type RawBuilder, sql } from 'kysely';

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
