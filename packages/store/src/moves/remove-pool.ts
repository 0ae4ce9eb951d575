import { type RawBuilder, sql } from 'kysely';
import { plannerSettings } from '../database/connect.ts';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { changesMovingPools } from './moving-pools.ts';

// Small, so that transactions are short: each waiver may have several messages.
const maxWaivers = 200;
const maxDeliveries = 1_000;

/** Deletes deliveries, and what tells their states and attempts. */
async function removeDeliveries(transaction: DatabaseTransaction, found: RawBuilder<unknown>): Promise<void> {
  await sql`
with gone as materialized (${found}),
attempts as (delete from attempt a using gone g where a.delivery = g.id),
ended_ones as (delete from ended e using gone g where e.id = g.id and e.pool = g.pool),
waiting as (
  delete from pending p using gone g where p.destination = g.destination and p.id = g.id and p.pool = g.pool)
delete from delivery d using gone g where d.id = g.id and d.pool = g.pool`.execute(transaction);
}

/**
 * The next ids of the pool in a table. In their order, and after those of the batch before: what that one deleted is still in
 * the index until a vacuum, and would be read again by each batch.
 */
async function nextIds(
  transaction: DatabaseTransaction,
  {
    table,
    pool,
    after,
    max,
  }: Readonly<{ table: string; pool: string; after: string | undefined; max: number }>,
): Promise<readonly string[]> {
  const afterIt = after === undefined ? sql`` : sql`and id > ${after}`;
  const { rows } = await sql<{ id: string }>`
select id from ${sql.table(table)} where pool = ${pool} ${afterIt} order by id limit ${max}::integer`.execute(
    transaction,
  );
  return rows.map(({ id }) => id);
}

/** The rows of a table that are removed batch by batch, by their ids. */
interface Batches {
  readonly table: string;
  readonly max: number;
  /** Removes rows with everything that belongs to them. */
  remove(transaction: DatabaseTransaction, pool: string, ids: readonly string[]): Promise<void>;
}

const waivers: Batches = {
  table: 'waiver',
  max: maxWaivers,
  async remove(transaction, pool, ids) {
    await removeDeliveries(
      transaction,
      sql`select d.id, d.pool, d.destination from delivery d where d.pool = ${pool} and d.waiver_id = any (${ids}::text[])`,
    );
    // Triggers remove versions, and words to search by.
    await sql`delete from waiver where pool = ${pool} and id = any (${ids}::text[])`.execute(transaction);
    await sql`delete from waiver_id where pool = ${pool} and id = any (${ids}::text[])`.execute(transaction);
  },
};

/** Deliveries whose waiver is gone. */
const otherDeliveries: Batches = {
  table: 'delivery',
  max: maxDeliveries,
  remove: (transaction, pool, ids) =>
    removeDeliveries(
      transaction,
      sql`select d.id, d.pool, d.destination from delivery d where d.pool = ${pool} and d.id = any (${ids}::uuid[])`,
    ),
};

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
  async function removeAll(
    { table, max, remove }: Batches,
    onBatch: (removed: number) => void,
  ): Promise<void> {
    let removed = 0;
    let after: string | undefined;
    for (;;) {
      const ids = await inBatch(async (transaction) => {
        const next = await nextIds(transaction, { table, pool, after, max });
        if (next.length > 0) await remove(transaction, pool, next);
        return next;
      });
      after = ids.at(-1);
      if (after === undefined) return;
      removed += ids.length;
      onBatch(removed);
    }
  }
  // Without them, a batch of a pool that is most of its table would read the table from its beginning.
  await sql.raw(plannerSettings).execute(database);
  await removeAll(waivers, onRemoved);
  await removeAll(otherDeliveries, () => {});
  await inBatch((transaction) => removeDestinations(transaction, pool));
}
