import type { Database } from './database.ts';
import { ListTooSlow } from './list-reads.ts';

/**
 * Runs a query of a list on the read replica, or on the primary: where there is no replica, and for a while after it
 * failed. The replica's answer may lack the latest writes.
 */
export type ReplicaReads = <Result>(query: (database: Database) => Promise<Result>) => Promise<Result>;

const avoidMs = 5_000;

/**
 * Creates the {@link ReplicaReads}. What fails on the replica is asked of the primary: it may be down, not have the
 * newest schema yet, or have ended the query to keep up.
 *
 * @param onFailure - called when the replica fails, once until it answers again
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
    // A replica that has vanished answers after a timeout only: one query waits for it, and not all of them.
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
      // A refusal of the primary as well is the caller's fault.
      const result = await query(primary);
      if (!isFailing) onFailure(failure);
      isFailing = true;
      return result;
    } finally {
      if (isFailing) avoidUntil = performance.now() + avoidMs;
    }
  };
}
