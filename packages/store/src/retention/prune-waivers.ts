import { bookingOf } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { afterCancelMs, cancelMessages } from '../guests/cancel-messages.ts';
import { eraseBookings } from '../guests/erase-bookings.ts';
import { removeDeliveries } from '../guests/remove-deliveries.ts';
import { isMoving } from '../moves/moving-pools.ts';

/** A pool that keeps waivers for a limited time. */
interface PoolRetention {
  readonly pool: string;
  readonly days: number;
}

/** A record that is due, and its booking. */
interface DueWaiver {
  readonly pool: string;
  readonly id: string;
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
}

// Small, so that transactions are short: each waiver may have several messages.
const maxWaivers = 50;
const maxDeliveries = 500;
/** How much longer a record is kept while a message of it waits, as it does at a destination that is paused. */
const maxWaitDays = 30;

const isOfDays = (days: RawBuilder<unknown>) => sql`
  w.hold_reason is null and w.erasure is null
  and retention_start(w.last_visit, w.answers) < now() - ${days} * interval '24 hours'`;

const hasWaiting = sql`exists (
  select from delivery d join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
  where d.pool = w.pool and d.waiver_id = w.id)`;

async function nextPool(database: Database, after: string): Promise<PoolRetention | undefined> {
  const { rows } = await sql<PoolRetention>`
select id as pool, retention_waivers_days as days from pool
where retention_waivers_days is not null and id > ${after} and not ${isMoving(sql`id`)}
order by id limit 1`.execute(database);
  return rows[0];
}

/** Locks the next records that are due. What others work on is left. */
async function lockDue(
  transaction: DatabaseTransaction,
  { pool, days }: PoolRetention,
): Promise<readonly DueWaiver[]> {
  const { rows } = await sql<DueWaiver>`
select w.pool, w.id, w.booking_system as "bookingSystem", w.booking_id as "bookingId" from waiver w where w.pool = ${pool} and ${isOfDays(sql`${days}::integer`)} and not ${hasWaiting}
order by retention_start(w.last_visit, w.answers) limit ${maxWaivers}::integer for update of w skip locked`.execute(
    transaction,
  );
  return rows;
}

/** Removes locked records with everything that belongs to them. One of which something is being sent stays for now. */
async function removeWaivers(
  transaction: DatabaseTransaction,
  pool: string,
  due: readonly DueWaiver[],
): Promise<number> {
  const ids = due.map(({ id }) => id);
  await eraseBookings(
    transaction,
    due.flatMap((waiver) => bookingOf(waiver) ?? []),
  );
  const deliveries = sql`
select d.id, d.pool from delivery d where d.pool = ${pool} and d.waiver_id = any (${[...ids]}::text[])
limit ${maxDeliveries}::integer`;
  while ((await removeDeliveries(transaction, deliveries)) === maxDeliveries);
  const { rows } = await sql<{ removed: number }>`
with gone as (
  delete from waiver w where w.pool = ${pool} and w.id = any (${[...ids]}::text[])
    and not exists (select from delivery d where d.pool = w.pool and d.waiver_id = w.id)
  returning w.id),
unlisted as (delete from unmatched_waiver u using gone g where u.waiver_id = g.id),
freed as (delete from waiver_id i using gone g where i.id = g.id)
select count(*)::integer as removed from gone`.execute(transaction);
  return rows[0]?.removed ?? 0;
}

/** Cancels what still waits of records that are due for a month. */
async function cancelOverdue(database: Database, { pool, days }: PoolRetention): Promise<boolean> {
  const overdue = sql`
select d.destination, d.id, d.pool from waiver w join delivery d on d.pool = w.pool and d.waiver_id = w.id
where w.pool = ${pool} and ${isOfDays(sql`${days + maxWaitDays}::integer`)}`;
  return retryDeadlock(() =>
    database.transaction().execute((transaction) => cancelMessages(transaction, overdue)),
  );
}

/**
 * The job that removes the waivers of pools with a retention: a round over these pools every `intervalMs`, in small batches. Several
 * hosts may be at it at once; each leaves what another one has locked.
 */
export function createPruneWaiversJob(
  database: Database,
  intervalMs: number,
  onPruned: (pruned: number) => void,
): BackgroundJob {
  let dueAt = 0;
  let waitMs = intervalMs;
  let before = '';
  let current: PoolRetention | undefined;

  async function runBatch(): Promise<boolean> {
    if (performance.now() < dueAt) return false;
    if (current === undefined) {
      current = await nextPool(database, before);
      if (current === undefined) {
        dueAt = performance.now() + waitMs;
        [before, waitMs] = ['', intervalMs];
        return false;
      }
      before = current.pool;
      // Cancelled ones go in a round soon after this one.
      if (await cancelOverdue(database, current)) waitMs = afterCancelMs;
    }
    const of = current;
    const { found, removed } = await retryDeadlock(() =>
      database.transaction().execute(async (transaction) => {
        const due = await lockDue(transaction, of);
        const count = due.length === 0 ? 0 : await removeWaivers(transaction, of.pool, due);
        return { found: due.length, removed: count };
      }),
    );
    onPruned(removed);
    // Of a batch of which nothing could be removed, the next one would be the same.
    if (found < maxWaivers || removed === 0) current = undefined;
    return true;
  }
  return { name: 'pruning waivers', runBatch };
}
