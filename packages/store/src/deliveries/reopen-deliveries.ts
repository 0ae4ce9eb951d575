import { idsWithout, sequencedBy } from '@waiver-service/outbox';
import { sql } from 'kysely';
import { isBegun } from '../database/begun-waivers.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';

export interface Reopened {
  readonly requested: string;
  /** The newest delivery of the same waiver, booking and destination, which is sent. */
  readonly deliveryId: string;
  /** False if it was waiting already; it is due now. */
  readonly reopened: boolean;
}

/** Whether a delivery `n` says of a waiver that a guest has only begun that it is signed, as earlier versions did. */
const isOfBegun = sql`(n.kind = 'guest-update' and not n.takeback and exists (
  select from waiver w where w.pool = n.pool and w.id = n.waiver_id and ${isBegun}))`;

/**
 * Reopens deliveries at the end of their lanes, with the count of attempts reset. If a newer version followed one, the
 * newest is reopened instead: an older state must never arrive after a newer one. Skips those of closed destinations, and
 * Guest Updates of what a guest has only begun.
 */
export function reopenDeliveries(database: Database, ids: readonly string[]): Promise<Reopened[]> {
  return database.transaction().execute((transaction) => reopenIn(transaction, ids));
}

/** Like `reopenDeliveries`, in a transaction that holds no locks on waivers, destinations or waiting messages. */
export async function reopenIn(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<Reopened[]> {
  await lockWaivers(transaction, ids);
  await lockDestinations(transaction, ids);
  const found = await newestOf(transaction, ids);
  const newest = [...new Set(found.map(({ deliveryId }) => deliveryId))];
  await lockPending(transaction, newest);
  await makeDue(transaction, newest);
  const reopened = await reopen(transaction, newest);
  return found.map(({ requested, deliveryId }) => ({
    requested,
    deliveryId,
    reopened: reopened.has(deliveryId),
  }));
}

/** Prevents newer versions until the transaction ends. */
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
): Promise<{ requested: string; deliveryId: string }[]> {
  const { rows } = await sql<{ requested: string; deliveryId: string }>`
select d.id as requested, n.id as delivery_id from delivery d
cross join lateral (
  select n.id, n.pool, n.waiver_id, n.kind, n.takeback from delivery n
  where n.pool = d.pool and n.waiver_id = d.waiver_id and n.destination = d.destination
    and n.booking_id is not distinct from d.booking_id
  -- One that is being removed, because it is old or its guest is erased, is gone once the lock is free.
  order by n.version desc limit 1 for key share of n) n
join destination t on t.id = d.destination and t.status <> 'closed'
where d.id = any (${[...ids]}::uuid[]) and not ${isOfBegun}`.execute(transaction);
  return rows;
}

/**
 * The ordering key of a reopened delivery `d` at its destination `t`. The write unit may have changed since it ended, and
 * newer messages must be in the same lane.
 */
const orderingKey = sql`
case t.write_unit when 'booking' then coalesce(d.booking_id, d.waiver_id) else d.waiver_id end`;

/** The waiting messages in the lanes of some deliveries, locked before any of them changes. */
async function lockPending(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
select from ${lanesOf(ids)} l
join pending p on p.destination = l.destination and p.ordering_key = l.ordering_key
order by p.id for update of p`.execute(transaction);
}

const lanesOf = (ids: readonly string[]) => sql`(
  select distinct d.destination, k.ordering_key from delivery d join destination t on t.id = d.destination
  cross join lateral (values (d.ordering_key), (${orderingKey})) k (ordering_key)
  where d.id = any (${[...ids]}::uuid[]))`;

/** Makes waiting messages due now, together with those before them in their lanes. */
async function makeDue(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
update pending p set due_at = least(p.due_at, now()), manual = p.manual or o.sequence = p.sequence
from pending o
where o.id = any (${[...ids]}::uuid[])
  and (o.destination, o.id, o.pool) in (
    select d.destination, d.id, d.pool from delivery d where d.id = any (${[...ids]}::uuid[]))
  and p.destination = o.destination and p.ordering_key = o.ordering_key and p.sequence <= o.sequence`.execute(
    transaction,
  );
}

async function reopen(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
with placed as materialized (
  select d.pool, d.id, d.destination, ${orderingKey} as ordering_key, d.ordering_key as former_key, d.waiver_id,
    d.version, d.booking_id, d.takeback
  from delivery d join destination t on t.id = d.destination
  where d.id = any (${[...ids]}::uuid[]) and not exists (
    select from pending p where p.destination = d.destination and p.id = d.id and p.pool = d.pool)),
${sequencedBy(sql`id`)},
forgotten as (
  delete from ended e using placed d where e.id = d.id and e.pool = d.pool),
-- The batch of an earlier claim may still be in the journal.
removed_from_journal as (
  update journal j set ids = ${idsWithout(sql`j.ids`, sql`${[...ids]}::uuid[]`)}
  where j.ids && array(select id from placed)),
moved as (
  update delivery d set ordering_key = w.ordering_key from wanted w
  where d.id = w.id and d.pool = w.pool and w.ordering_key <> w.former_key)
insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at, manual)
select w.destination, w.id, w.pool, w.ordering_key, w.sequence, w.waiver_id, w.booking_id, w.takeback, now(), true
from wanted w
returning id`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}
