import { schema } from '../database/schema.ts';
import { createPruneDeliveriesJob } from '../retention/prune-deliveries.ts';
import type { FeatureData } from '../store-context.ts';

/** The job that prunes deliveries, batch by batch. */
export interface Pruning {
  /** @returns the number of removed deliveries */
  pruneDeliveries(): Promise<number>;
  close(): Promise<void>;
}

const dayMs = 86_400_000;
const intervalMs = 3_600_000;

/** Opens a connection for the job. Deliveries are pruned after ten days unless told otherwise. */
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
  const job = createPruneDeliveriesJob({ database, features }, retention, onPruned);
  return {
    async pruneDeliveries() {
      pruned = 0;
      await job.runBatch();
      return pruned;
    },
    close: () => database.destroy(),
  };
}
