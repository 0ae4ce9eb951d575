import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { StoreEvent } from '../store-context.ts';
import { mostAttempts } from './refresh-queue.ts';

/** How long an answer may be served for a booking system that does not answer. */
export const longestKept = sql`interval '24 hours'`;

const everyMs = 10 * 60_000;
const atOnce = 1_000;

/** Removes, a batch at a time, answers that are too old to be served and requests whose every worker was lost. */
export async function pruneBookings(database: Database): Promise<void> {
  await sql`delete from booking_refresh where attempts >= ${mostAttempts} and due_at <= now()`.execute(
    database,
  );
  for (let removed = atOnce; removed === atOnce; ) {
    const { numAffectedRows } = await sql`
      delete from cached_booking where (pool, booking_system, booking_id) in (
        select pool, booking_system, booking_id from cached_booking
        where fetched_at <= now() - ${longestKept} limit ${atOnce} for update skip locked
      )`.execute(database);
    removed = Number(numAffectedRows ?? 0n);
  }
}

/**
 * Prunes now and then, as long as the store is open. Several hosts may do so at once.
 *
 * @returns what ends it, after the pruning that runs.
 */
export function keepPruning(database: Database, onNotice: (event: StoreEvent) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = pruneBookings(database).catch((error: unknown) => {
      onNotice({ kind: 'pruning-failed', message: error instanceof Error ? error.message : String(error) });
    });
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
