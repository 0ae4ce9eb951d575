import type { Database } from './database.ts';

/**
 * Runs a query of a list on the read replica, or on the primary: where there is no replica, and for a while after it
 * failed. The replica's answer may lack what was written just before.
 */
export type ReplicaReads = <Result>(query: (database: Database) => Promise<Result>) => Promise<Result>;

const avoidMs = 5_000;

/**
 * Creates the {@link ReplicaReads}. What fails on the replica is asked of the primary: it may be down, not have the newest
 * schema yet, or have ended the query to keep up.
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
    let failure: unknown;
    try {
      const result = await query(replica);
      isFailing = false;
      return result;
    } catch (error) {
      failure = error;
    }
    // What the primary refuses as well is the caller's fault.
    const result = await query(primary);
    avoidUntil = performance.now() + avoidMs;
    if (!isFailing) onFailure(failure);
    isFailing = true;
    return result;
  };
}
