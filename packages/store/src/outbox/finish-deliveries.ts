import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { rowsOf } from '../database/rows-of.ts';
import type { FinishedDelivery } from './delivery-types.ts';

const mostResponseCharacters = 4_096;

/** What PostgreSQL takes as text: a partner's answer may hold anything. */
function storable(text: string): string {
  return text.slice(0, mostResponseCharacters).replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function parametersOf({
  pool,
  destination,
  orderingKey,
  leaseToken,
  id,
  decision,
  inDoubt,
  attempt,
}: FinishedDelivery) {
  return {
    pool,
    destination,
    ordering_key: orderingKey,
    token: leaseToken,
    id,
    decision: decision.kind,
    wait_ms: 'waitMs' in decision ? decision.waitMs : 0,
    tries: decision.kind === 'release' || (decision.kind === 'retry' && !decision.usesTry) ? 0 : 1,
    is_fault: attempt.outcome === 'own-fault',
    in_doubt: inDoubt ?? null,
    at: attempt.at.toISOString(),
    duration_ms: Math.min(Math.max(0, Math.round(attempt.durationMs)), 2_147_483_647),
    outcome: attempt.outcome,
    status: attempt.status ?? null,
    error_code: attempt.errorCode ?? null,
    response: attempt.response === undefined ? null : storable(attempt.response),
    warnings: attempt.warnings === undefined ? null : JSON.stringify(attempt.warnings),
    reason: decision.kind === 'cancelled' ? storable(decision.reason) : null,
    trigger: attempt.trigger,
  };
}

/**
 * Whether what was not taken gives way to a newer version that came while it was in flight: it is not in doubt, takes
 * nothing back, and its booking system has something newer of the same waiver and booking to get. In a lane of one
 * waiver everything behind it is such, and the lane's own count, read under its lock, tells it. In a lane of a booking
 * the messages are looked at; one that was stored in the very moment between this statement's snapshot and the lock is
 * not seen, and supersedes at the next try.
 */
const isOutdated = sql`case
  when coalesce(h.in_doubt, d.in_doubt) or d.takeback or h.last_sequence = d.sequence then false
  when d.ordering_key = d.waiver_id and d.ordering_key is distinct from d.booking_id then true
  else exists (select from (
    select n.waiver_id, n.booking_id from delivery n
    where n.destination = d.destination and n.ordering_key = d.ordering_key and n.pool = d.pool
      and n.state = 'waiting' and n.sequence > d.sequence
    order by n.sequence offset 0) n
    where n.waiver_id = d.waiver_id and n.booking_id is not distinct from d.booking_id) end`;

/**
 * Records tries and what they lead to: one statement, so that the record and the decision are one. What is not this
 * process's any more (the lease ran out and another took it) is left alone.
 *
 * The fence is the token alone: a condition on the lane's state would make PostgreSQL take the partial index of
 * leased lanes for the join, which is many times slower.
 *
 * @returns what was recorded, by the delivery's id: whether its lane has more to send at once.
 */
export async function finishDeliveries(
  database: Database,
  finished: readonly FinishedDelivery[],
): Promise<ReadonlyMap<string, boolean>> {
  if (finished.length === 0) return new Map();
  const { rows } = await sql<{ id: string; hasMore: boolean }>`${prepared}
with result as (
  select * from ${rowsOf(finished.map(parametersOf), 'r', {
    ...{
      pool: 'text',
      destination: 'text',
      ordering_key: 'text',
      token: 'uuid',
      id: 'uuid',
      decision: 'text',
    },
    ...{ wait_ms: 'double precision', tries: 'integer', is_fault: 'boolean', in_doubt: 'boolean' },
    ...{ at: 'timestamptz', duration_ms: 'integer', outcome: 'text', status: 'integer', error_code: 'text' },
    ...{ response: 'text', warnings: 'text', reason: 'text', trigger: 'text' },
  })}),
held as materialized (
  select r.*, l.last_sequence from result r
  join lane l on l.destination = r.destination and l.ordering_key = r.ordering_key and l.pool = r.pool
  where l.lease_token = r.token and l.current = r.id
  order by l.destination, l.ordering_key for update of l),
recorded as (
  update delivery d set
    state = case
      when h.decision in ('delivered', 'dead', 'cancelled') then h.decision
      when ${isOutdated} then 'superseded'
      else 'waiting' end,
    attempts = d.attempts + h.tries,
    in_doubt = h.decision not in ('delivered', 'cancelled') and coalesce(h.in_doubt, d.in_doubt),
    reason = h.reason
  from held h where d.id = h.id and d.pool = h.pool
  returning h.*, d.sequence, d.state <> 'waiting' as ended, d.attempts > 0 as tried),
freed as (
  update lane l set
    state = case when r.ended and l.last_sequence = r.sequence then 'idle' else 'ready' end,
    done_sequence = case when r.ended then r.sequence else l.done_sequence end,
    current = case when r.ended then null else r.id end,
    retrying = not r.ended and (r.tried or r.decision = 'retry'),
    due_at = now() + case when r.ended then 0 else r.wait_ms end * interval '1 millisecond',
    manual = false, lost_leases = 0, faults = case when r.is_fault then l.faults + 1 else 0 end,
    lease_token = null, lease_until = null, leased_at = null
  from recorded r
  where l.destination = r.destination and l.ordering_key = r.ordering_key and l.pool = r.pool
    and l.lease_token = r.token),
logged as (
  insert into attempt (pool, delivery, at, duration_ms, outcome, status, error_code, response, warnings, trigger)
  select pool, id, at, duration_ms, outcome, status, error_code, response, warnings, trigger from recorded)
select id, ended and last_sequence > sequence as "hasMore" from recorded`.execute(database);
  return new Map(rows.map(({ id, hasMore }) => [id, hasMore]));
}
