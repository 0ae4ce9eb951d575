import type { BackgroundJob } from '@waiver-service/database';
import { retryDeadlock } from '@waiver-service/database';
import { afterCancelMs, cancelMessages, removeDeliveries } from '@waiver-service/outbox';
import {
  type Database,
  type DatabaseTransaction,
  eraseBookings,
  type FeatureData,
  removeWaivers as removeRecords,
  type StoreContext,
} from '@waiver-service/store/features';
import { bookingOf } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';

/** A record that is due, and its booking. */
interface DueWaiver {
  readonly pool: string;
  readonly id: string;
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
  readonly bookingGuestId: string | null;
}

// Small, so that transactions are short: each waiver may have several messages.
const maxWaivers = 50;
const maxDeliveries = 500;
// Each costs one index probe.
const maxPools = 500;
/** How much longer a record is kept while one of its messages waits, as at a paused destination. */
const maxWaitDays = 30;

// A returning guest's confirmation is proven by the record it is based on, which is kept as long.
const isOfDays = (days: RawBuilder<unknown>) => sql`
  w.hold_reason is null and w.erasure is null
  and retention_start(w.last_visit, w.answers) < now() - ${days} * interval '24 hours'
  and not exists (select from waiver c where c.pool = w.pool and c.reuse_of = w.id)`;

const hasWaiting = sql`exists (
  select from delivery d join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
  where d.pool = w.pool and d.waiver_id = w.id)`;

/** Read again by each batch: it may change during a round. */
const daysOf = (pool: string) => sql`(
  select retention_waivers_days from pool where id = ${pool})`;

/**
 * The next pools with a retention, in the order of their ids, and which of them have a record that is due. Without the
 * collation of `waiver.pool`, its index would not be used.
 */
async function findDuePools(
  database: Database,
  after: string,
): Promise<{ readonly due: string[]; readonly last: string | undefined }> {
  const { rows } = await sql<{ pool: string; isDue: boolean }>`
select p.id as pool, exists (
  select from waiver w where w.pool = p.id collate "default" and ${isOfDays(sql`p.retention_waivers_days`)}) as is_due
from (
  select id, retention_waivers_days from pool
  where retention_waivers_days is not null and id > ${after}
  order by id limit ${maxPools}::integer) p
order by p.id`.execute(database);
  return { due: rows.flatMap(({ pool, isDue }) => (isDue ? pool : [])), last: rows.at(-1)?.pool };
}

/** Locks the next records that are due, except those that others have locked. */
async function lockDue(transaction: DatabaseTransaction, pool: string): Promise<readonly DueWaiver[]> {
  const { rows } = await sql<DueWaiver>`
select w.pool, w.id, w.booking_system, w.booking_id,
  w.booking_guest_id from waiver w
where w.pool = ${pool} and ${isOfDays(daysOf(pool))} and not ${hasWaiting}
order by retention_start(w.last_visit, w.answers) limit ${maxWaivers}::integer for update of w skip locked`.execute(
    transaction,
  );
  return rows;
}

/** Removes locked records with everything that belongs to them. One with a message being sent stays for now. */
async function removeWaivers(
  transaction: DatabaseTransaction,
  features: readonly FeatureData[],
  pool: string,
  due: readonly DueWaiver[],
): Promise<number> {
  const ids = due.map(({ id }) => id);
  await eraseBookings(
    transaction,
    due.flatMap((waiver) => bookingOf(waiver) ?? []),
  );
  for (const { personalData } of features) await personalData?.eraseOfWaivers?.(transaction, pool, due);
  const deliveries = sql`
select d.id, d.pool from delivery d where d.pool = ${pool} and d.waiver_id = any (${[...ids]}::text[])
limit ${maxDeliveries}::integer`;
  while ((await removeDeliveries(transaction, deliveries)) === maxDeliveries);
  return removeRecords(transaction, pool, ids);
}

/** Cancels the messages that still wait of records that have been due for a month. */
async function cancelOverdue(database: Database, pool: string): Promise<boolean> {
  const overdue = sql`
select d.destination, d.id, d.pool from waiver w join delivery d on d.pool = w.pool and d.waiver_id = w.id
where w.pool = ${pool} and ${isOfDays(sql`(${daysOf(pool)} + ${maxWaitDays}::integer)`)}`;
  return retryDeadlock(() =>
    database.transaction().execute((transaction) => cancelMessages(transaction, overdue)),
  );
}

/**
 * The job that removes old waivers of pools with a retention: a round over these pools every `intervalMs`, in small
 * batches. Several hosts may run it at once; each skips rows that another has locked.
 */
export function createPruneWaiversJob(
  { database, features }: Pick<StoreContext, 'database' | 'features'>,
  intervalMs: number,
  onPruned: (pruned: number) => void,
): BackgroundJob {
  let dueAt = 0;
  let waitMs = intervalMs;
  let after = '';
  let due: string[] = [];
  let current: string | undefined;

  /** @returns false at the end of the round */
  async function findPool(): Promise<boolean> {
    while (due.length === 0) {
      const found = await findDuePools(database, after);
      if (found.last === undefined) {
        dueAt = performance.now() + waitMs;
        [after, waitMs] = ['', intervalMs];
        return false;
      }
      [due, after] = [found.due, found.last];
    }
    return true;
  }

  /** @returns the next pool; undefined at the end of the round */
  async function beginPool(): Promise<string | undefined> {
    if (!(await findPool())) return undefined;
    const pool = due.shift() ?? '';
    // Records with cancelled messages are removed in a round soon after this one.
    if (await cancelOverdue(database, pool)) waitMs = afterCancelMs;
    return pool;
  }

  async function runBatch(): Promise<boolean> {
    if (performance.now() < dueAt) return false;
    const pool = current ?? (await beginPool());
    if (pool === undefined) return false;
    // A pool that fails gets its next turn in the next round, and delays no other pool.
    current = undefined;
    const { found, removed } = await retryDeadlock(() =>
      database.transaction().execute(async (transaction) => {
        const locked = await lockDue(transaction, pool);
        const count = locked.length === 0 ? 0 : await removeWaivers(transaction, features, pool, locked);
        return { found: locked.length, removed: count };
      }),
    );
    onPruned(removed);
    // If nothing could be removed, the next batch would be the same.
    if (found === maxWaivers && removed > 0) current = pool;
    return true;
  }
  return { name: 'pruning waivers', runBatch };
}
