import { type BackgroundJob, beforeFirstId, prepared } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../data/tables.ts';
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

const batch = 1_000;

/**
 * Erases the stored responses of a destination's attempts: they may name guests, and partners can no longer be asked
 * about them. In small batches, so that it can run inside or outside a transaction. Call it once no attempt of the
 * destination can be recorded anymore.
 */
async function eraseAttemptAnswers(database: Database, destination: string): Promise<void> {
  let after = beforeFirstId;
  for (;;) {
    const { rows } = await sql<{ last: string | null }>`
with found as materialized (
  select a.delivery from destination t join attempt a on a.pool = t.pool
  where t.id = ${destination} and (a.response is not null or a.warnings is not null) and a.delivery > ${after}::uuid
  order by a.delivery limit ${batch}::integer),
-- All attempts of one delivery are erased together: the next batch begins after it.
deliveries as (
  select distinct f.delivery, d.destination from found f join delivery d on d.id = f.delivery),
erased as (
  update attempt a set response = null, warnings = null from deliveries d
  where a.delivery = d.delivery and d.destination = ${destination}
    and (a.response is not null or a.warnings is not null))
select max(delivery::text) as last from found`.execute(database);
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    after = last;
  }
}

// Small, so that transactions are short.
const maxPerBatch = 500;

interface Batch {
  /** The last message of the batch, null if there was none. */
  readonly last: string | null;
  readonly scanned: number;
  /** The number of messages that are being sent or locked. */
  readonly left: number;
}

/**
 * Cancels a batch of messages that wait for a closed destination, after a given message. One that is being sent is
 * left: its result is recorded, and a later pass cancels it if it remains.
 */
async function cancelPending(database: Database, destination: string, after: string): Promise<Batch> {
  const { rows } = await sql<Batch>`${prepared}
with scanned as materialized (
  select p.id, p.pool, ${isInJournal(sql`p.id`)} as is_sent from pending p
  where p.destination = ${destination} and p.id > ${after}::uuid
  order by p.id limit ${maxPerBatch}::integer),
free as materialized (
  select p.id, p.pool from scanned s
  join pending p on p.destination = ${destination} and p.id = s.id and p.pool = s.pool
  where not s.is_sent
  order by p.id for update of p skip locked),
gone as (
  delete from pending p using free f where p.destination = ${destination} and p.id = f.id and p.pool = f.pool
  returning p.id, p.pool, p.attempts),
cancelled as (
  insert into ended (id, pool, state, attempts) select id, pool, 'cancelled', attempts from gone)
select (select s.id from scanned s order by s.id desc limit 1) as last, (select count(*) from scanned) as scanned,
  (select count(*) from scanned) - (select count(*) from gone) as left`.execute(database);
  return rows[0] ?? { last: null, scanned: 0, left: 0 };
}

async function nextCancelling(database: Database, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
select id from destination where cancelling order by id <= ${after}, id limit 1`.execute(database);
  return rows[0]?.id;
}

/**
 * The job that cancels the messages of closed destinations. It passes through the messages of one destination by id;
 * the pass that leaves none is the last, because nothing is enqueued for a closed destination. Its position is not
 * stored: after a crash, or on another host, a pass starts over.
 */
export function createCancelJob(database: Database): BackgroundJob {
  let destination: string | undefined;
  let before = '';
  let after = beforeFirstId;
  let left = 0;

  return {
    name: 'cancelling the messages of a closed destination',
    async runBatch() {
      if (destination === undefined) {
        destination = await nextCancelling(database, before);
        [after, left] = [beforeFirstId, 0];
        if (destination === undefined) return false;
      }
      const batch = await cancelPending(database, destination, after);
      left += batch.left;
      after = batch.last ?? after;
      if (batch.scanned === maxPerBatch) return true;
      if (left === 0) {
        // Attempts recorded from now on are stored without a response.
        await eraseAttemptAnswers(database, destination);
        await database
          .updateTable('destination')
          .set({ cancelling: false })
          .where('id', '=', destination)
          .where('status', '=', 'closed')
          .execute();
      }
      const isDone = left === 0;
      [before, destination] = [destination, undefined];
      // Messages that are being sent are left to the next round.
      return isDone;
    },
  };
}
