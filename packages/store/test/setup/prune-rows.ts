import { createPruneRowsJob } from '../../src/retention/prune-rows.ts';
import { openDatabase } from './open-database.ts';

const dayMs = 86_400_000;

/** A batch of each rule, over a separate connection. Audit entries and messages are kept for ten days. @returns whether there may be more */
export const pruneRows = (databaseUrl: string): Promise<boolean> =>
  createPruneRowsJob(openDatabase(databaseUrl), {
    auditRetentionMs: 10 * dayMs,
    deliveryRetentionMs: 10 * dayMs,
    intervalMs: 3_600_000,
  }).runBatch();
