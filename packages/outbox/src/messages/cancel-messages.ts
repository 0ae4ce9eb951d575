import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import { isInJournal } from './delivery-state.ts';

const maxBatchSize = 500;

/**
 * How long to wait before removing a cancelled message. Longer than any statement of the store may run, so a claim that
 * still saw the message as pending has ended by then, and whatever it claimed is in the journal.
 */
export const afterCancelMs = 60_000;

async function cancelBatch(
  transaction: DatabaseTransaction,
  deliveries: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ cancelled: number }>`
with free as materialized (
  select p.destination, p.id, p.pool from (${deliveries} offset 0) d
  join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
  where not ${isInJournal(sql`p.id`)}
  order by p.id limit ${maxBatchSize}::integer for update of p skip locked),
gone as (
  delete from pending p using free f
  where p.destination = f.destination and p.id = f.id and p.pool = f.pool
  returning p.id, p.pool, p.attempts),
cancelled as (
  insert into ended (id, pool, state, attempts) select id, pool, 'cancelled', attempts from gone)
select count(*)::integer as cancelled from gone`.execute(transaction);
  return rows[0]?.cancelled ?? 0;
}

/**
 * Cancels those of the deliveries that are pending, because their guest's data is erased, or they say too much. Skips deliveries in flight:
 * their attempts must be recorded first.
 *
 * @param deliveries a query of the `destination`, `id` and `pool` of deliveries.
 * @returns whether anything was cancelled.
 */
export async function cancelMessages(
  transaction: DatabaseTransaction,
  deliveries: RawBuilder<unknown>,
): Promise<boolean> {
  let cancelled = 0;
  for (let last = maxBatchSize; last === maxBatchSize; cancelled += last)
    last = await cancelBatch(transaction, deliveries);
  return cancelled > 0;
}
