import type { Database } from './database.ts';
import { ListTooSlow } from './list-reads.ts';

/**
 * Runs a query of a list on the read replica, or on the primary if there is no replica or it failed recently. The
 * replica's result may lack the latest writes.
 */
export type ReplicaReads = <Result>(query: (database: Database) => Promise<Result>) => Promise<Result>;

const avoidMs = 5_000;

/**
 * Creates the {@link ReplicaReads}. A query that fails on the replica is retried on the primary: the replica may be down,
 * lack the newest schema, or have canceled the query to keep up.
 *
 * @param onFailure - called once per outage of the replica
 */
export function createReplicaReads(
  primary: Database,
  replica: Database | undefined,
  onFailure: (error: unknown) => void,
): ReplicaReads {
  if (replica === undefined) return (query) => query(primary);
  let avoidUntil = 0;
  let isFailing = false;
  return async (query) => {
    if (performance.now() < avoidUntil) return query(primary);
    const isTrial = isFailing;
    // A vanished replica fails only after a timeout: one query waits for it, not all of them.
    if (isTrial) avoidUntil = Number.POSITIVE_INFINITY;
    let failure: unknown;
    try {
      const result = await query(replica);
      isFailing = false;
      if (isTrial) avoidUntil = 0;
      return result;
    } catch (error) {
      // It would take as long on the primary.
      if (error instanceof ListTooSlow) {
        if (isTrial) avoidUntil = 0;
        throw error;
      }
      failure = error;
    }
    try {
      // If the primary fails too, the replica is not to blame.
      const result = await query(primary);
      if (!isFailing) onFailure(failure);
      isFailing = true;
      return result;
    } finally {
      if (isFailing) avoidUntil = performance.now() + avoidMs;
    }
  };
}
