import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import { rowsOf } from '../database/rows-of.ts';
import type { FinishedDelivery } from './delivery-types.ts';

/*
 * A booking that is written as a whole has one lane, under its canonical id. A message that was enqueued under an alias,
 * before the alias was known, moves once it is first in its old lane. Its dispatcher moves it, in the transaction that
 * gives it back. No other host may: if a message changed lanes while being sent, another of its new lane could be sent at
 * the same time. It keeps its sequence, so the messages of a waiver stay in order.
 */

const reason = 'the booking has two ids, and the record has only gone from one to the other';

/**
 * Moves messages, whose rows are locked, to the lanes of their bookings' canonical ids. If there is a newer version of
 * the waiver for that id, a message is superseded instead, and a takeback is cancelled: the record only went from one id
 * to the other, so it would be taken back from its own booking. A takeback stays if the record is now another guest's.
 */
export async function moveToLanes(
  transaction: DatabaseTransaction,
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
      and (not d.takeback or i.guest_id <> 'booking-guest-id'
        or n.body::json #>> '{waiver,bookingGuestId}' is not distinct from d.body::json #>> '{waiver,bookingGuestId}')
    ) as is_outdated
  from ${rowsOf(moves, 'm', { id: 'uuid', pool: 'text', destination: 'text', ownId: 'text' })}
  join pending p on p.destination = m.destination and p.id = m.id and p.pool = m.pool
  join delivery d on d.id = p.id and d.pool = p.pool
  join installation i on i.destination_id = p.destination),
gone as (
  delete from pending p using moving m
  where m.is_outdated and p.destination = m.destination and p.id = m.id and p.pool = m.pool
  returning p.id, p.pool, p.takeback, p.attempts),
ended_now as (
  insert into ended (id, pool, state, reason, attempts)
  select id, pool, case when takeback then 'cancelled' else 'superseded' end, case when takeback then ${reason} end,
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
