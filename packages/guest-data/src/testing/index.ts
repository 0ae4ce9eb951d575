import { schema } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { createPruneWaiversJob } from '../data/prune-waivers.ts';

/** The job that removes old waivers, batch by batch. */
export interface WaiverPruning {
  /** Has every pool keep waivers for this many days after their visits. */
  keepWaivers(days: number): Promise<void>;
  /** @returns the number of removed waivers */
  pruneWaivers(): Promise<number>;
  close(): Promise<void>;
}

const intervalMs = 3_600_000;

/** Opens a connection for the job. */
export function openWaiverPruning(databaseUrl: string): WaiverPruning {
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  let pruned = 0;
  const job = createPruneWaiversJob({ database, features: [] }, intervalMs, (count) => {
    pruned += count;
  });
  return {
    async keepWaivers(days) {
      await sql`update pool set retention_waivers_days = ${days}::integer`.execute(database);
    },
    async pruneWaivers() {
      pruned = 0;
      await job.runBatch();
      return pruned;
    },
    close: () => database.destroy(),
  };
}
