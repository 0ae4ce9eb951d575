import { sql } from 'kysely';
import { schema } from '../database/schema.ts';
import { createPruneDeliveriesJob } from '../retention/prune-deliveries.ts';
import { createPruneWaiversJob } from '../retention/prune-waivers.ts';
import type { FeatureData } from '../store-context.ts';

/** The pruning jobs, batch by batch. */
export interface Pruning {
  /** Has every pool keep waivers for this many days after their visits. */
  keepWaivers(days: number): Promise<void>;
  /** @returns the number of removed waivers */
  pruneWaivers(): Promise<number>;
  /** @returns the number of removed deliveries */
  pruneDeliveries(): Promise<number>;
  close(): Promise<void>;
}

const dayMs = 86_400_000;
const intervalMs = 3_600_000;

/** Opens a connection for the jobs. Deliveries are pruned after ten days unless told otherwise. */
export function openPruning(
  databaseUrl: string,
  {
    features = [],
    deliveryRetentionMs = 10 * dayMs,
  }: { readonly features?: readonly FeatureData[]; readonly deliveryRetentionMs?: number } = {},
): Pruning {
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  let pruned = 0;
  const onPruned = (count: number) => {
    pruned += count;
  };
  const retention = { deliveryRetentionMs, deadRetentionMs: 365 * dayMs, intervalMs };
  const context = { database, features };
  const deliveries = createPruneDeliveriesJob(context, retention, onPruned);
  const waivers = createPruneWaiversJob(context, intervalMs, onPruned);
  async function runBatch(job: typeof deliveries) {
    pruned = 0;
    await job.runBatch();
    return pruned;
  }
  return {
    async keepWaivers(days) {
      await sql`update pool set retention_waivers_days = ${days}::integer`.execute(database);
    },
    pruneWaivers: () => runBatch(waivers),
    pruneDeliveries: () => runBatch(deliveries),
    close: () => database.destroy(),
  };
}
