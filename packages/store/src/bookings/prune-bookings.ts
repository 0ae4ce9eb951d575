import { type RawBuilder, sql } from 'kysely';
import { idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import type { Database } from '../database/database.ts';
import type { StoreEvent } from '../store-context.ts';
import { aliasRetention } from './add-booking-alias.ts';
import { maxRefreshAttempts } from './refresh-queue.ts';

/** How long a stored response may be served while the booking system does not respond. */
export const maxBookingAge = sql`interval '24 hours'`;

/** How long a booking is listed after its last session. */
const maxBookingPast = sql`interval '2 days'`;

/** How long a message id is remembered. Vendors that retry calls do so for some hours, a few for two days. */
const maxMessageAge = sql`interval '7 days'`;

const intervalMs = 10 * 60_000;
const maxBatchSize = 1_000;

/** Deletes the rows of a table that meet a condition, batch by batch. */
async function deleteInBatches(
  database: Database,
  table: string,
  key: readonly string[],
  isOver: RawBuilder<unknown>,
): Promise<void> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let removed = maxBatchSize; removed === maxBatchSize; ) {
    const { numAffectedRows } = await sql`
delete from ${sql.table(table)} where (${columns}) in (
  select ${columns} from ${sql.table(table)} where ${isOver} limit ${maxBatchSize} for update skip locked)`.execute(
      database,
    );
    removed = Number(numAffectedRows ?? 0n);
  }
}

const bookingKey = ['pool', 'booking_system', 'booking_id'];

/**
 * Deletes a batch of due aliases whose bookings have no waiver under any id, and extends the others. A waiver being
 * stored under a deleted alias at this moment follows its booking after the next read.
 *
 * @returns the number of due aliases
 */
async function pruneAliases(database: Database): Promise<number> {
  const { rows } = await sql<{ due: number }>`
with due as materialized (
  select a.pool, a.booking_system, a.alias, a.booking_id from booking_alias a
  where a.prune_at <= now() order by a.prune_at limit ${maxBatchSize} for update skip locked),
used as materialized (
  select d.* from due d where exists (
    select from (${idsOfBooking(referenceOf('d'))}) o join waiver w on w.pool = d.pool and w.booking_id = o.id
      and w.booking_system = d.booking_system)),
kept as (
  update booking_alias a set prune_at = now() + ${aliasRetention} from used u
  where a.pool = u.pool and a.booking_system = u.booking_system and a.alias = u.alias),
pruned as (
  delete from booking_alias where (pool, booking_system, alias) in (
    select pool, booking_system, alias from due except select pool, booking_system, alias from used))
select count(*)::integer as due from due`.execute(database);
  return rows[0]?.due ?? 0;
}

/**
 * Deletes, in batches, responses too old to be served, bookings whose sessions are over, messages that vendors no
 * longer retry, requests whose last attempt was lost, and aliases that no waiver needs.
 */
export async function pruneBookings(database: Database): Promise<void> {
  await sql`delete from booking_refresh where attempts >= ${maxRefreshAttempts} and due_at <= now()`.execute(
    database,
  );
  const prune = deleteInBatches.bind(undefined, database);
  await prune('cached_booking', bookingKey, sql`fetched_at <= now() - ${maxBookingAge}`);
  await prune('upcoming_booking', bookingKey, sql`last_starts_at <= now() - ${maxBookingPast}`);
  await prune(
    'inbound_message',
    ['pool', 'booking_system', 'message'],
    sql`received_at <= now() - ${maxMessageAge}`,
  );
  while ((await pruneAliases(database)) === maxBatchSize);
}

/**
 * Prunes every ten minutes, unless the previous run is still in progress. Several hosts may do so at once.
 * @returns stops it and waits for a run in progress
 */
export function startPruning(database: Database, onNotice: (event: StoreEvent) => void): () => Promise<void> {
  let running: Promise<void> | undefined;
  async function prune(): Promise<void> {
    try {
      await pruneBookings(database);
    } catch (error) {
      onNotice({ kind: 'pruning-failed', message: error instanceof Error ? error.message : String(error) });
    } finally {
      running = undefined;
    }
  }
  const timer = setInterval(() => {
    running ??= prune();
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
