import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { changesMovingPools } from './moving-pools.ts';

// Small, so that transactions are short: each waiver may have several messages.
const maxWaivers = 200;
const maxDeliveries = 1_000;

/** Deletes deliveries, and what tells their states and attempts. */
async function removeDeliveries(
  transaction: DatabaseTransaction,
  found: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
with gone as materialized (${found}),
attempts as (delete from attempt a using gone g where a.delivery = g.id),
ended_ones as (delete from ended e using gone g where e.id = g.id and e.pool = g.pool),
waiting as (
  delete from pending p using gone g where p.destination = g.destination and p.id = g.id and p.pool = g.pool),
removed as (delete from delivery d using gone g where d.id = g.id and d.pool = g.pool returning 1)
select count(*)::integer as removed from removed`.execute(transaction);
  return rows[0]?.removed ?? 0;
}

/** @returns how many waivers were removed */
async function removeWaivers(transaction: DatabaseTransaction, pool: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
select id from waiver where pool = ${pool} limit ${maxWaivers}::integer`.execute(transaction);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await removeDeliveries(
    transaction,
    sql`select d.id, d.pool, d.destination from delivery d where d.pool = ${pool} and d.waiver_id = any (${ids}::text[])`,
  );
  // Triggers remove versions, and words to search by.
  await sql`delete from waiver where pool = ${pool} and id = any (${ids}::text[])`.execute(transaction);
  await sql`delete from waiver_id where pool = ${pool} and id = any (${ids}::text[])`.execute(transaction);
  return ids.length;
}

const ofPool = (pool: string) => sql`(select t.id from destination t where t.pool = ${pool})`;

async function removeDestinations(transaction: DatabaseTransaction, pool: string): Promise<void> {
  for (const table of ['waiver_version', 'waiver_search'])
    await sql`delete from ${sql.table(table)} where pool = ${pool}`.execute(transaction);
  for (const table of ['booking_system_session', 'authorization_request', 'destination_activity'])
    await sql`delete from ${sql.table(table)} where destination in ${ofPool(pool)}`.execute(transaction);
  await sql`delete from request_budget where id in ${ofPool(pool)}`.execute(transaction);
  await sql`delete from alert_topic where subject in ${ofPool(pool)}`.execute(transaction);
  await sql`delete from recovery where pools = ${[pool]}::text[] or destination in ${ofPool(pool)}`.execute(
    transaction,
  );
  await sql`delete from destination where pool = ${pool}`.execute(transaction);
}

/**
 * Removes, in small batches, the rows of a pool that has left. May be stopped at any moment and run again.
 *
 * @param onRemoved called after each batch with the number of waivers so far
 */
export async function removePool(
  database: Database,
  pool: string,
  {
    onRemoved,
    signal,
  }: { readonly onRemoved: (waivers: number) => void; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const inBatch = <Result>(work: (transaction: DatabaseTransaction) => Promise<Result>) =>
    database.transaction().execute(async (transaction) => {
      signal?.throwIfAborted();
      await changesMovingPools.execute(transaction);
      return work(transaction);
    });
  let removed = 0;
  for (;;) {
    const batch = await inBatch((transaction) => removeWaivers(transaction, pool));
    if (batch === 0) break;
    removed += batch;
    onRemoved(removed);
  }
  const rest = sql`
select d.id, d.pool, d.destination from delivery d where d.pool = ${pool} limit ${maxDeliveries}::integer`;
  while ((await inBatch((transaction) => removeDeliveries(transaction, rest))) > 0);
  await inBatch((transaction) => removeDestinations(transaction, pool));
}
