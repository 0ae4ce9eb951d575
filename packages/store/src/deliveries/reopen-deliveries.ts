import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/database.ts';

/** What came of asking for one delivery again. */
export interface Reopened {
  /** The delivery that was asked for. */
  readonly asked: string;
  /** The newest one of the same waiver, booking and destination: that is the one that goes out. */
  readonly deliveryId: string;
  /** False where it was waiting anyway; it is due now. */
  readonly reopened: boolean;
}

/**
 * Sends deliveries again, at the end of their lanes, with a new count of tries. In place of one that a newer version
 * has followed, the newest goes: an older state must never arrive after a newer one. Those of closed destinations,
 * or of a destination that was closed in between, are left out.
 */
export function reopenDeliveries(database: Database, ids: readonly string[]): Promise<Reopened[]> {
  return database.transaction().execute((transaction) => reopenIn(transaction, ids));
}

/** The same, in a transaction that has locked nothing of waivers, destinations or lanes. */
export async function reopenIn(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<Reopened[]> {
  await lockWaivers(transaction, ids);
  await lockDestinations(transaction, ids);
  const found = await newestOf(transaction, ids);
  const newest = [...new Set(found.map(({ deliveryId }) => deliveryId))];
  await lockLanes(transaction, newest);
  await hasten(transaction, newest);
  const reopened = await reopen(transaction, newest);
  return found.map(({ asked, deliveryId }) => ({ asked, deliveryId, reopened: reopened.has(deliveryId) }));
}

/** Keeps newer versions from coming in until we are done. */
async function lockWaivers(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
select from waiver w
where (w.pool, w.id) in (select d.pool, d.waiver_id from delivery d where d.id = any (${[...ids]}::uuid[]))
order by w.pool, w.id for share`.execute(transaction);
}

async function lockDestinations(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
select from destination t
where t.id in (select d.destination from delivery d where d.id = any (${[...ids]}::uuid[]))
order by t.id for key share`.execute(transaction);
}

async function newestOf(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<{ asked: string; deliveryId: string }[]> {
  const { rows } = await sql<{ asked: string; deliveryId: string }>`
select d.id as asked, n.id as "deliveryId" from delivery d
cross join lateral (
  select n.id from delivery n
  where n.pool = d.pool and n.waiver_id = d.waiver_id and n.destination = d.destination
    and n.booking_id is not distinct from d.booking_id
  order by n.version desc limit 1) n
join destination t on t.id = d.destination and t.status <> 'closed'
where d.id = any (${[...ids]}::uuid[])`.execute(transaction);
  return rows;
}

/**
 * What a delivery `d` is ordered by from now on, at its destination `t`: the order may have changed since it ended, and
 * no newer message may be in another lane.
 */
const orderingKey = sql`
case t.write_unit when 'booking' then coalesce(d.booking_id, d.waiver_id) else d.waiver_id end`;

async function lockLanes(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
select from lane l
where (l.destination, l.ordering_key, l.pool) in (
  select d.destination, k.ordering_key, d.pool from delivery d join destination t on t.id = d.destination
  cross join lateral (values (d.ordering_key), (${orderingKey})) k (ordering_key)
  where d.id = any (${[...ids]}::uuid[]))
order by l.destination, l.ordering_key for update`.execute(transaction);
}

/** What waits already is due now. */
async function hasten(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
update lane l set due_at = now(), manual = true from delivery d
where d.id = any (${[...ids]}::uuid[]) and d.state = 'waiting' and l.state = 'ready'
  and l.destination = d.destination and l.ordering_key = d.ordering_key and l.pool = d.pool`.execute(
    transaction,
  );
}

async function reopen(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
with ended as materialized (
  select d.id, d.pool, d.destination, k.ordering_key,
    row_number() over (partition by d.destination, k.ordering_key, d.pool order by d.id) as place,
    count(*) over (partition by d.destination, k.ordering_key, d.pool) as added
  from delivery d join destination t on t.id = d.destination
  cross join lateral (values (${orderingKey})) k (ordering_key)
  where d.id = any (${[...ids]}::uuid[]) and d.state <> 'waiting'),
lanes as (
  insert into lane as l (pool, destination, ordering_key, state, due_at, manual, last_sequence)
  select pool, destination, ordering_key, 'ready', now(), true, max(added) from ended
  group by pool, destination, ordering_key order by destination, ordering_key
  on conflict (destination, ordering_key, pool) do update set last_sequence = l.last_sequence + excluded.last_sequence,
    due_at = case l.state when 'idle' then now() else l.due_at end,
    manual = l.manual or l.state = 'idle',
    state = case l.state when 'leased' then 'leased' else 'ready' end
  returning l.destination, l.ordering_key, l.pool, l.last_sequence)
update delivery d set state = 'waiting', attempts = 0, reason = null, ordering_key = e.ordering_key,
  sequence = n.last_sequence - e.added + e.place
from ended e join lanes n using (destination, ordering_key, pool)
where d.id = e.id and d.pool = e.pool
returning d.id`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}
