import { type BackgroundJob, periodicJob } from '@waiver-service/database';
import { sql } from 'kysely';
import { pruneAliases } from '../bookings/add-booking-alias.ts';
import { maxRefreshAttempts } from '../bookings/refresh-queue.ts';
import { maxBookingAge } from '../bookings/stored-booking.ts';
import type { Database } from '../database/tables.ts';
import type { FeatureData, RetentionRule, RowRetention } from '../store-context.ts';

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
