import { type RawBuilder, sql } from 'kysely';
import { batchCalls } from './batch-calls.ts';

/** Maximum wait for a lock in milliseconds; undefined: unlimited. */
export type LockTimeout = number | undefined;

export interface PoolBatchOptions<Request, Result> {
  readonly maxBatchSize: number;
  readonly poolOf: (request: Request) => string;
  /** Calls with the same key run one after the other, in order, unless their pool is held up. */
  readonly keyOf: (request: Request) => string;
  /**
   * Runs one batch, in a statement that limits its lock waits to the given time (see {@link limitsLockWait}) and has no
   * effect if it fails.
   *
   * @returns one result for each request, in their order.
   */
  readonly run: (
    requests: readonly Request[],
    lockTimeoutMs: LockTimeout,
  ) => Promise<readonly PromiseSettledResult<Result>[]>;
}

// Much longer than our own statements hold locks; the longest that one pool's lock delays others.
const sharedLockTimeoutMs = 200;

const lockNotAvailable = '55P03';

/** Whether a statement gave up waiting for another session's lock. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === lockNotAvailable;

/**
 * Read this row before a statement locks anything: it limits how long the rest of the transaction waits for
 * each lock. Part of the statement itself, because a `set local` would cost round trips.
 */
export const limitsLockWait = (timeoutMs: LockTimeout): RawBuilder<unknown> =>
  timeoutMs === undefined
    ? sql`(select) lock_wait`
    : sql`(select set_config('lock_timeout', ${String(timeoutMs)}, true)) lock_wait`;

/**
 * Batches concurrent calls of all pools together, so that they share a round trip and a commit, and keeps a pool that
 * another session's lock holds up from delaying the others: a batch that waits too long for a lock gives up, and its
 * calls run again, pool by pool. While a pool has such calls, new ones join them.
 */
export function batchAcrossPools<Request, Result>({
  maxBatchSize,
  poolOf,
  keyOf,
  run,
}: PoolBatchOptions<Request, Result>): (request: Request) => Promise<Result> {
  const runShared = batchCalls<Request, Result>({
    maxBatchSize,
    keyOf,
    run: (requests) => run(requests, sharedLockTimeoutMs),
  });
  const runApart = batchCalls<Request, Result>({
    maxBatchSize,
    keyOf,
    partitionOf: poolOf,
    run: (requests) => run(requests, undefined),
  });
  // The number of calls that run apart, by pool.
  const apart = new Map<string, number>();

  async function countApart(pool: string, request: Request): Promise<Result> {
    apart.set(pool, (apart.get(pool) ?? 0) + 1);
    try {
      return await runApart(request);
    } finally {
      const left = (apart.get(pool) ?? 1) - 1;
      if (left === 0) apart.delete(pool);
      else apart.set(pool, left);
    }
  }

  return async (request) => {
    const pool = poolOf(request);
    if (apart.has(pool)) return countApart(pool, request);
    try {
      return await runShared(request);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return countApart(pool, request);
    }
  };
}
