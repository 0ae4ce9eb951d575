import { prepared, rowsOf } from '@waiver-service/database';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import type { FinishedDelivery } from '../messages/delivery-types.ts';
import { type DestinationOwners, deadLettersOf, type OutboxContext } from '../outbox-context.ts';
import { fence } from './dispatchers.ts';
import { idsWithout } from './journal.ts';
import { durationOf, recordAccepted, storable, warningsOf } from './record-accepted.ts';

/*
 * A booking that is written as a whole has one lane, under its canonical id. A message that was enqueued under an alias,
 * before the alias was known, moves once it is first in its old lane. Its dispatcher moves it, in the transaction that
 * gives it back. No other host may: if a message changed lanes while being sent, another of its new lane could be sent at
 * the same time. It keeps its sequence, so the messages of a waiver stay in order.
 */

type RecordContext = Pick<OutboxContext, 'database' | 'report' | 'owners'>;

const reasonOfMove = 'the booking has two ids, and the record has only gone from one to the other';

/**
 * Moves messages, whose rows are locked, to the lanes of their bookings' canonical ids. If there is a newer version of
 * the waiver for that id, a message is superseded instead, and a takeback is cancelled: the record only went from one id
 * to the other, so it would be taken back from its own booking. A takeback stays if the record is now another guest's.
 */
async function moveToLanes(
  transaction: DatabaseTransaction,
  { guests }: DestinationOwners,
  finished: readonly FinishedDelivery[],
): Promise<void> {
  const moves = finished.flatMap(({ id, pool, destination, decision }) =>
    decision.kind === 'release' && decision.bookingId !== undefined
      ? { id, pool, destination, ownId: decision.bookingId }
      : [],
  );
  if (moves.length === 0) return;
  await sql`
with moving as materialized (
  select p.id, p.pool, p.destination, p.takeback, m.own_id, p.ordering_key = p.booking_id as changes_lane, exists (
    select from delivery n
    where n.pool = d.pool and n.waiver_id = d.waiver_id and n.destination = d.destination and n.version > d.version
      and n.booking_id = m.own_id and not n.takeback
      and (not d.takeback or ${guests.lackBookingIds}
        or n.body::json #>> '{waiver,bookingGuestId}' is not distinct from d.body::json #>> '{waiver,bookingGuestId}')
    ) as is_outdated
  from ${rowsOf(moves, 'm', { id: 'uuid', pool: 'text', destination: 'text', ownId: 'text' })}
  join pending p on p.destination = m.destination and p.id = m.id and p.pool = m.pool
  join delivery d on d.id = p.id and d.pool = p.pool ${guests.joins}),
gone as (
  delete from pending p using moving m
  where m.is_outdated and p.destination = m.destination and p.id = m.id and p.pool = m.pool
  returning p.id, p.pool, p.takeback, p.attempts),
ended_now as (
  insert into ended (id, pool, state, reason, attempts)
  select id, pool, case when takeback then 'cancelled' else 'superseded' end, case when takeback then ${reasonOfMove} end,
    attempts
  from gone),
moved as (
  update pending p set booking_id = m.own_id,
    ordering_key = case when m.changes_lane then m.own_id else p.ordering_key end
  from moving m
  where not m.is_outdated and p.destination = m.destination and p.id = m.id and p.pool = m.pool)
update delivery d set booking_id = m.own_id,
  ordering_key = case when m.changes_lane then m.own_id else d.ordering_key end
from moving m where not m.is_outdated and d.id = m.id and d.pool = m.pool`.execute(transaction);
}

/**
 * Records attempts and their consequences. Idempotent; records nothing if another dispatcher has taken over.
 *
 * Locks: the dispatcher's own row, then waiting messages by id. Accepted and other attempts take two transactions: one
 * that locked both sets in turn would deadlock with changes of the same waivers.
 *
 * @returns the recorded deliveries.
 */
export async function recordAttempts(
  context: RecordContext,
  dispatcher: string,
  finished: readonly FinishedDelivery[],
): Promise<readonly FinishedDelivery[]> {
  const accepted = finished.filter(({ decision }) => decision.kind === 'delivered');
  const others = finished.filter(({ decision }) => decision.kind !== 'delivered');
  const recordedOthers = await recordOthers(context, dispatcher, others);
  return [...recordedOthers, ...(await recordAccepted(context.database, dispatcher, accepted))];
}

/**
 * Joins and locks the row of `pending` of each `r`, in the order of the `r`s. With a plain join PostgreSQL would read
 * the whole table if its statistics say that it is empty.
 */
const lockedRowOf = sql`
cross join lateral (
  select p.destination, p.id, p.pool from pending p
  where p.destination = r.destination and p.id = r.id and p.pool = r.pool for update) p`;

const parametersOf = ({ id, pool, destination, batch, decision, inDoubt, attempt }: FinishedDelivery) => ({
  id,
  pool,
  destination,
  batch,
  decision: decision.kind,
  waitMs: 'waitMs' in decision ? decision.waitMs : 0,
  used: decision.kind === 'release' || (decision.kind === 'retry' && !decision.usesAttempt) ? 0 : 1,
  isFault: attempt.outcome === 'own-fault',
  inDoubt: inDoubt ?? null,
  at: attempt.at.toISOString(),
  durationMs: durationOf(attempt),
  outcome: attempt.outcome,
  status: attempt.status ?? null,
  errorCode: attempt.errorCode ?? null,
  response: attempt.response === undefined ? null : storable(attempt.response),
  warnings: warningsOf(attempt),
  reason: decision.kind === 'cancelled' ? storable(decision.reason) : null,
  trigger: attempt.trigger,
});

/** Records attempts that were not accepted. In two statements, so that the second sees what the first waited for. */
function recordOthers(
  { database, report, owners }: RecordContext,
  dispatcher: string,
  others: readonly FinishedDelivery[],
): Promise<readonly FinishedDelivery[]> {
  if (others.length === 0) return Promise.resolve([]);
  return database.transaction().execute(async (transaction) => {
    // These joins would read all waiting messages if the statistics date from when there were none.
    await sql`set local enable_hashjoin = off; set local enable_mergejoin = off`.execute(transaction);
    const owned = await lockOwn(transaction, dispatcher, others);
    const rest = others.filter(({ id }) => owned.has(id));
    if (rest.length > 0) {
      await moveToLanes(transaction, owners, rest);
      await report(transaction, deadLettersOf(await recordLocked(transaction, rest)));
    }
    return rest;
  });
}

/** Locks the messages that are still in the dispatcher's journal: neither recorded nor taken over. */
async function lockOwn(
  transaction: DatabaseTransaction,
  dispatcher: string,
  finished: readonly FinishedDelivery[],
): Promise<ReadonlySet<string>> {
  const keys = finished.map(({ id, pool, destination, batch }) => ({ id, pool, destination, batch }));
  const { rows } = await sql<{ id: string }>`${prepared}
with ${fence(dispatcher)},
own as materialized (
  select r.id, r.pool, r.destination
  from ${rowsOf(keys, 'r', { id: 'uuid', pool: 'text', destination: 'text', batch: 'bigint' })}
  join journal j on j.batch = r.batch and r.id = any (j.ids)
  join fence f on f.id = j.dispatcher),
locked as materialized (
  select p.id from (select * from own order by id) r ${lockedRowOf})
select o.id from own o where (select count(*) from locked) >= 0`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}

/**
 * A rejected message gives way to a newer one of the same waiver and booking, unless it is in doubt or a takeback. One
 * that was superseded or cancelled meanwhile stays so, unless the decision is to end it otherwise. A superseded one in
 * doubt returns to its place and is sent again before the newer one.
 *
 * @returns the dead letters.
 */
async function recordLocked(
  transaction: DatabaseTransaction,
  finished: readonly FinishedDelivery[],
): Promise<readonly { readonly destination: string }[]> {
  const batches = [...new Set(finished.map(({ batch }) => batch))];
  const ids = finished.map(({ id }) => id);
  const { rows: dead } = await sql<{ destination: string }>`${prepared}
with result as materialized (
  select * from ${rowsOf(finished.map(parametersOf), 'r', {
    id: 'uuid',
    pool: 'text',
    destination: 'text',
    batch: 'bigint',
    decision: 'text',
    waitMs: 'double precision',
    used: 'integer',
    isFault: 'boolean',
    inDoubt: 'boolean',
    at: 'timestamptz',
    durationMs: 'integer',
    outcome: 'text',
    status: 'integer',
    errorCode: 'text',
    response: 'text',
    warnings: 'text',
    reason: 'text',
    trigger: 'text',
  })}),
judged as materialized (
  select p.destination, p.id, p.pool, p.sequence, p.attempts + r.used as attempts, r.decision, r.wait_ms, r.is_fault,
    r.reason, coalesce(r.in_doubt, p.in_doubt) as in_doubt,
    case
      when r.decision in ('dead', 'cancelled') then r.decision
      when not coalesce(r.in_doubt, p.in_doubt) and not p.takeback and exists (
        select from (
          select n.waiver_id, n.booking_id from pending n
          where n.destination = p.destination and n.ordering_key = p.ordering_key and n.sequence > p.sequence
          order by n.sequence offset 0) n
        where n.waiver_id = p.waiver_id and n.booking_id is not distinct from p.booking_id) then 'superseded'
      else 'waiting' end as state
  from result r
  cross join lateral (
    select p.* from pending p where p.destination = r.destination and p.id = r.id and p.pool = r.pool offset 0) p),
kept as (
  update pending p set attempts = j.attempts, in_doubt = j.in_doubt,
    retrying = j.attempts > 0 or j.decision = 'retry', manual = false, lost_leases = 0,
    faults = case when j.is_fault then p.faults + 1 else 0 end,
    due_at = now() + j.wait_ms * interval '1 millisecond'
  from judged j
  where p.destination = j.destination and p.id = j.id and p.pool = j.pool and j.state = 'waiting'),
gone as (
  delete from pending p using judged j
  where p.destination = j.destination and p.id = j.id and p.pool = j.pool and j.state <> 'waiting'),
missing as materialized (
  select r.* from result r where r.id not in (select j.id from judged j)),
ended_now as (
  insert into ended (id, pool, state, reason, attempts, sequence)
  select id, pool, state, reason, attempts, sequence from judged where state <> 'waiting'
  union all
  select m.id, m.pool, m.decision, m.reason, m.used, null from missing m where m.decision in ('dead', 'cancelled')
  on conflict (id, pool) do update set state = excluded.state, reason = excluded.reason,
    attempts = ended.attempts + excluded.attempts),
returned as (
  delete from ended e using missing m
  where e.id = m.id and e.pool = m.pool and e.state = 'superseded' and m.in_doubt
    and m.decision not in ('dead', 'cancelled')
  returning e.id, e.pool, e.sequence, e.attempts + m.used as attempts, m.wait_ms),
waiting_again as (
  insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at,
    retrying, in_doubt, attempts)
  select d.destination, d.id, d.pool, d.ordering_key, r.sequence, d.waiver_id, d.booking_id, d.takeback,
    now() + r.wait_ms * interval '1 millisecond', true, true, r.attempts
  from returned r join delivery d on d.id = r.id and d.pool = r.pool),
logged as (
  -- A closed destination's responses are not kept: they may name guests.
  insert into attempt (pool, delivery, at, duration_ms, outcome, status, error_code, response, warnings, trigger)
  select r.pool, r.id, r.at, r.duration_ms, r.outcome, r.status, r.error_code,
    case when t.status <> 'closed' then r.response end, case when t.status <> 'closed' then r.warnings end, r.trigger
  from result r join destination t on t.id = r.destination where r.outcome <> 'postponed'
    -- The guest may have been erased meanwhile.
    and exists (select from delivery d where d.id = r.id and d.pool = r.pool)),
finished as (
  update journal j set ids = ${idsWithout(sql`j.ids`, sql`${ids}::uuid[]`)}
  where j.batch = any (${batches}::bigint[]))
select j.destination from judged j where j.state = 'dead'
union all
select m.destination from missing m where m.decision = 'dead'`.execute(transaction);
  return dead;
}
