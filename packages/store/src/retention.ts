import {
  type BackgroundJob,
  beforeFirstId,
  idAfter,
  milliseconds,
  periodicJob,
  retryDeadlock,
} from '@waiver-service/database';
import { hasEnded, pendingAndEnded, removeDeliveries } from '@waiver-service/outbox';
import { sql } from 'kysely';
import { pruneAliases } from './bookings/add-booking-alias.ts';
import { maxRefreshAttempts } from './bookings/refresh-queue.ts';
import { maxBookingAge } from './bookings/stored-bookings.ts';
import type { Database } from './database/tables.ts';
import type { FeatureData, RetentionRule, RowRetention, StoreContext } from './store-context.ts';

/** How long ended deliveries are kept, and how often the job runs. */
export interface DeliveryRetention {
  /** Delivered, superseded and cancelled ones. */
  readonly deliveryRetentionMs: number;
  readonly deadRetentionMs: number;
  /** From the end of a round to the next one. */
  readonly intervalMs: number;
}

// Small, so that transactions are short.
const maxScanned = 200;

const before = (ageMs: number) => sql`now() - ${milliseconds(ageMs)}`;

/**
 * The job that removes old ended deliveries with their attempts: in rounds over all that are old enough, in the order of
 * their ids, in small batches. Several hosts may run it at once; each skips rows that another has locked.
 *
 * Age counts from creation, but a delivery attempted since the cutoff is kept, as the attempt is. Also kept: deliveries
 * of a record with a hold, a newer version of a dead letter, and what a feature needs.
 */
export function createPruneDeliveriesJob(
  { database, features }: Pick<StoreContext, 'database' | 'features'>,
  { deliveryRetentionMs, deadRetentionMs, intervalMs }: DeliveryRetention,
  onPruned: (pruned: number) => void,
): BackgroundJob {
  let after = beforeFirstId;

  async function scan(): Promise<readonly string[]> {
    const until = idAfter(new Date(Date.now() - deliveryRetentionMs));
    const untilDead = idAfter(new Date(Date.now() - deadRetentionMs));
    // Dead letters separately: nearly all deliveries may be too young to be removed unless they are dead letters.
    const { rows } = await sql<{ id: string }>`
(select d.id from delivery d where d.id > ${after}::uuid and d.id <= ${until}::uuid
  order by d.id limit ${maxScanned}::integer)
union all
(select e.id from ended e
  where e.state = 'dead' and e.id > greatest(${after}::uuid, ${until}::uuid) and e.id <= ${untilDead}::uuid
  order by e.id limit ${maxScanned}::integer)
order by id limit ${maxScanned}::integer`.execute(database);
    return rows.map(({ id }) => id);
  }

  const isOld = sql`case when e.state = 'dead'
    then d.created_at < ${before(deadRetentionMs)} and not exists (
      select from attempt a where a.delivery = d.id and a.at >= ${before(deadRetentionMs)})
    else d.created_at < ${before(deliveryRetentionMs)} and not exists (
      select from attempt a where a.delivery = d.id and a.at >= ${before(deliveryRetentionMs)}) end`;
  // If an operator retries a dead letter, the newest version is sent instead, so it has to be kept.
  const hasOlderDead = sql`exists (
    select from delivery o join ended f on f.id = o.id and f.pool = o.pool and f.state = 'dead'
    where o.pool = d.pool and o.waiver_id = d.waiver_id and o.version < d.version and o.destination = d.destination
      and o.booking_id is not distinct from d.booking_id)`;
  const isHeld = sql`exists (
    select from waiver w where w.pool = d.pool and w.id = d.waiver_id and w.hold_reason is not null)`;

  const isNeeded = sql.join(
    [sql`false`, ...features.flatMap(({ needsDelivery = [] }) => needsDelivery)],
    sql` or `,
  );

  const isRemovable = sql<boolean>`${isOld} and not ${isHeld} and not ${hasOlderDead} and not (${isNeeded})`;

  return periodicJob({
    name: 'pruning deliveries',
    intervalMs,
    async runBatch() {
      const scanned = await scan();
      // Locks only removable rows: a lock writes to the row.
      const candidates = sql`
select d.id, d.pool from unnest(${[...scanned]}::uuid[]) k (id) join delivery d on d.id = k.id ${pendingAndEnded}
where ${hasEnded} and ${isRemovable}`;
      if (scanned.length > 0) {
        onPruned(
          await retryDeadlock(() =>
            database
              .transaction()
              .execute((transaction) => removeDeliveries(transaction, candidates, isRemovable)),
          ),
        );
      }
      const isEnd = scanned.length < maxScanned;
      after = isEnd ? beforeFirstId : (scanned.at(-1) ?? beforeFirstId);
      return !isEnd;
    },
  });
}

const ownRules: readonly RetentionRule[] = [
  { table: 'cached_booking', maxBatchSize: 1_000, isOver: sql`t.fetched_at <= now() - ${maxBookingAge}` },
  {
    table: 'upcoming_booking',
    maxBatchSize: 1_000,
    isOver: sql`t.last_starts_at <= now() - interval '2 days'`,
  },
  // Vendors that retry calls do so for some hours, a few for two days.
  {
    table: 'inbound_message',
    maxBatchSize: 1_000,
    isOver: sql`t.received_at <= now() - interval '7 days'`,
  },
  // Its last attempt was lost.
  {
    table: 'booking_refresh',
    maxBatchSize: 1_000,
    isOver: sql`t.attempts >= ${maxRefreshAttempts} and t.due_at <= now()`,
  },
  { table: 'booking_alias', maxBatchSize: 1_000, isOver: pruneAliases },
];

/** The rules of the store, and those of features. */
export const retentionRules = (
  retention: RowRetention,
  features: readonly FeatureData[],
): readonly RetentionRule[] => [
  ...ownRules,
  ...features.flatMap((feature) => feature.retention?.(retention) ?? []),
];

/** @returns how many were deleted */
async function pruneBatch(
  database: Database,
  { table, maxBatchSize, isOver }: RetentionRule,
): Promise<number> {
  if (typeof isOver === 'function') return isOver(database, maxBatchSize);
  const { numAffectedRows = 0n } = await sql`
delete from ${sql.table(table)} where ctid = any (array(
  select t.ctid from ${sql.table(table)} t where ${isOver}
  limit ${maxBatchSize}::integer for update skip locked))`.execute(database);
  return Number(numAffectedRows);
}

/**
 * The job that deletes old rows by {@link retentionRules}, a batch of each at a time. Several hosts may run it at once; each
 * skips rows that another has locked. A rule that fails does not stop the others.
 *
 * @param intervalMs - from the end of a round to the next one
 */
export function createPruneRowsJob(
  database: Database,
  rules: readonly RetentionRule[],
  intervalMs: number,
  onPruned: (kind: string, pruned: number) => void = () => {},
): BackgroundJob {
  return periodicJob({
    name: 'pruning',
    intervalMs,
    async runBatch() {
      let hasMore = false;
      const problems: string[] = [];
      for (const rule of rules) {
        try {
          const pruned = await pruneBatch(database, rule);
          if (rule.kind !== undefined) onPruned(rule.kind, pruned);
          if (pruned === rule.maxBatchSize) hasMore = true;
        } catch (error) {
          problems.push(`${rule.table}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      if (problems.length > 0) throw new Error(problems.join('; '));
      return hasMore;
    },
  });
}

/** The age of the oldest rows. */
export interface OldestKept {
  /** `waiver`: only records that a retention applies to, with their age from when it began. */
  readonly kind: 'delivery' | 'waiver';
  readonly ageSeconds: number;
}

/** Reads the age of the oldest rows, by index lookups. */
export async function oldestKept(database: Database): Promise<readonly OldestKept[]> {
  const { rows } = await sql<{ kind: OldestKept['kind']; at: Date | null }>`
select 'delivery' as kind, (select d.created_at from delivery d order by d.id limit 1) as at
union all
select 'waiver', min(w.at) from pool p cross join lateral (
  select retention_start(w.last_visit, w.answers) as at from waiver w
  -- Without the column's collation, its index would not be used.
  where w.pool = p.id collate "default" and w.hold_reason is null and w.erasure is null
  order by retention_start(w.last_visit, w.answers) limit 1) w
where p.retention_waivers_days is not null`.execute(database);
  return rows.flatMap(({ kind, at }) =>
    at === null ? [] : { kind, ageSeconds: Math.max(0, (Date.now() - at.getTime()) / 1_000) },
  );
}
