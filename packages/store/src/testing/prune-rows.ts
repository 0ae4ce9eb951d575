import { schema } from '../database/schema.ts';
import { createPruneRowsJob, retentionRules } from '../retention/prune-rows.ts';
import type { FeatureData } from '../store-context.ts';

const dayMs = 86_400_000;

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
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  const rules = retentionRules({ auditRetentionMs, deliveryRetentionMs: 10 * dayMs }, features);
  try {
    return await createPruneRowsJob(database, rules, 3_600_000).runBatch();
  } finally {
    await database.destroy();
  }
}
