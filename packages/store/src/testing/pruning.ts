import { schema } from '../database/schema.ts';
import { createPruneDeliveriesJob, createPruneRowsJob, retentionRules } from '../retention.ts';
import type { FeatureData } from '../store-context.ts';

const dayMs = 86_400_000;
const intervalMs = 3_600_000;

const connect = (databaseUrl: string) =>
  schema.connect({ databaseUrl, maxConnections: 1, statementTimeoutMs: 0, onConnectionError: () => {} });

/**
 * A batch of each rule, over a separate connection. Audit entries and messages are kept for ten days unless told
 * otherwise.
 *
 * @returns whether there may be more
 */
export async function pruneRows(
  databaseUrl: string,
  features: readonly FeatureData[] = [],
  auditRetentionMs = 10 * dayMs,
): Promise<boolean> {
  const database = connect(databaseUrl);
  const rules = retentionRules({ auditRetentionMs, deliveryRetentionMs: 10 * dayMs }, features);
  try {
    return await createPruneRowsJob(database, rules, intervalMs).runBatch();
  } finally {
    await database.destroy();
  }
}

/** The job that prunes deliveries, batch by batch. */
export interface Pruning {
  /** @returns the number of removed deliveries */
  pruneDeliveries(): Promise<number>;
  close(): Promise<void>;
}

/** Opens a connection for the job. Deliveries are pruned after ten days unless told otherwise. */
export function openPruning(
  databaseUrl: string,
  {
    features = [],
    deliveryRetentionMs = 10 * dayMs,
  }: { readonly features?: readonly FeatureData[]; readonly deliveryRetentionMs?: number } = {},
): Pruning {
  const database = connect(databaseUrl);
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
