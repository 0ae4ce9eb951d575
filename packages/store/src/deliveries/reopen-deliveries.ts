import { reopenMessages } from '@waiver-service/outbox';
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
  const reopened = await reopenMessages(transaction, newest);
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
