import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { StoreEvent } from '../store-context.ts';
import { maxRefreshAttempts } from './refresh-queue.ts';

/** How long a stored response may be served while the booking system does not respond. */
export const maxBookingAge = sql`interval '24 hours'`;

/** How long a message is remembered. Vendors that repeat a call do so for some hours, a few for two days. */
const maxMessageAge = sql`interval '7 days'`;

const intervalMs = 10 * 60_000;
const maxBatchSize = 1_000;

/** Runs a statement that deletes one batch until it finds less than a whole one. */
async function deleteInBatches(database: Database, batch: RawBuilder<unknown>): Promise<void> {
  for (let removed = maxBatchSize; removed === maxBatchSize; ) {
    const { numAffectedRows } = await batch.execute(database);
    removed = Number(numAffectedRows ?? 0n);
  }
}

/**
 * Deletes, in batches, responses that are too old to be served, messages that no vendor repeats any more, and requests
 * whose attempts were all lost.
 */
export async function pruneBookings(database: Database): Promise<void> {
  await sql`delete from booking_refresh where attempts >= ${maxRefreshAttempts} and due_at <= now()`.execute(
    database,
  );
  await deleteInBatches(
    database,
    sql`
      delete from cached_booking where (pool, booking_system, booking_id) in (
        select pool, booking_system, booking_id from cached_booking
        where fetched_at <= now() - ${maxBookingAge} limit ${maxBatchSize} for update skip locked
      )`,
  );
  await deleteInBatches(
    database,
    sql`
      delete from inbound_message where (pool, booking_system, message) in (
        select pool, booking_system, message from inbound_message
        where received_at <= now() - ${maxMessageAge} limit ${maxBatchSize} for update skip locked
      )`,
  );
}

/**
 * Prunes every ten minutes. Several hosts may do so at once.
 * @returns a function that stops it and waits for a running batch.
 */
export function startPruning(database: Database, onNotice: (event: StoreEvent) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = pruneBookings(database).catch((error: unknown) => {
      onNotice({ kind: 'pruning-failed', message: error instanceof Error ? error.message : String(error) });
    });
  }, intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
