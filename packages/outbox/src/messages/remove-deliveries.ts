import { rowsOf } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import { isInJournal, pendingAndEnded } from './delivery-state.ts';

/** A delivery by its key. */
export interface DeliveryKey {
  readonly id: string;
  readonly pool: string;
}

/**
 * Whether nothing more will be sent or recorded for a delivery `d`, with {@link pendingAndEnded} joined. One that was
 * superseded or cancelled in flight stays in a journal until its attempt is recorded.
 */
export const hasEnded: RawBuilder<boolean> = sql`(
  p.id is null and (e.id is null or not ${isInJournal(sql`d.id`)}))`;

/**
 * Removes the deliveries that have ended and meet a condition, with their attempts.
 *
 * Locks them first and reads their states in a separate statement: a concurrent reopening has either inserted its
 * `pending` row by then, or finds no delivery.
 *
 * @param candidates a query of the `id` and `pool` of deliveries `d`, with a limit.
 * @param isRemovable a condition on `d`, `p` and `e` of {@link pendingAndEnded}.
 * @returns how many were removed.
 */
export async function removeDeliveries(
  transaction: DatabaseTransaction,
  candidates: RawBuilder<unknown>,
  isRemovable: RawBuilder<boolean> = sql`true`,
): Promise<number> {
  const { rows: locked } = await sql<DeliveryKey>`
select d.id, d.pool from (${candidates} offset 0) c
join delivery d on d.id = c.id and d.pool = c.pool
order by d.id for update of d skip locked`.execute(transaction);
  if (locked.length === 0) return 0;
  const { rows } = await sql<{ removed: number }>`
with gone as materialized (
  select d.id, d.pool
  from ${rowsOf(locked, 'k', { id: 'uuid', pool: 'text' })}
  join delivery d on d.id = k.id and d.pool = k.pool ${pendingAndEnded}
  where ${hasEnded} and ${isRemovable}),
attempts as (delete from attempt a using gone g where a.delivery = g.id),
ended_gone as (delete from ended e using gone g where e.id = g.id and e.pool = g.pool),
removed as (delete from delivery d using gone g where d.id = g.id and d.pool = g.pool returning 1)
select count(*)::integer as removed from removed`.execute(transaction);
  return rows[0]?.removed ?? 0;
}
