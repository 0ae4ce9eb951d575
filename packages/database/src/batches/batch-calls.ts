import { type RawBuilder, sql } from 'kysely';

/** Options of {@link batchCalls}. */
export interface BatchOptions<Request, Result> {
  readonly maxBatchSize: number;
  /** Calls with the same key run one after the other, in order. Without it, any calls may run at once. */
  readonly keyOf?: (request: Request) => string;
  /** Calls of different partitions never share a batch, so that a slow partition does not delay the others. */
  readonly partitionOf?: (request: Request) => string;
  /** Runs one batch. @returns one result for each request, in their order. */
  readonly run: (requests: readonly Request[]) => Promise<readonly PromiseSettledResult<Result>[]>;
}

interface Call<Request, Result> {
  readonly request: Request;
  readonly key: string | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** Exists only while it has queued calls or running batches. */
interface Partition<Request, Result> {
  readonly name: string;
  queue: Call<Request, Result>[];
  running: number;
  /** Running batches that have taken longer than `slowAfterMs`. */
  slow: number;
}

// A batch that takes longer, such as one that waits for a lock, no longer blocks the next.
const slowAfterMs = 50;
// Each batch takes a connection: a single partition must not use them all.
const maxRunningPerPartition = 2;
const maxRunning = 8;
// More concurrent batches would be smaller, each with its own commit.
const maxRunningFast = 4;

/**
 * Batches concurrent calls to share the cost of a round trip and a commit. A single call runs at once;
 * those that arrive while it is running make up the next batch. No call waits for others to arrive.
 *
 * A partition runs one batch at a time, and a second one if the first is slow. Partitions take turns.
 */
export function batchCalls<Request, Result>(
  options: BatchOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { maxBatchSize, keyOf, partitionOf = () => '', run } = options;
  // In the order of their turns.
  const partitions = new Map<string, Partition<Request, Result>>();
  const runningKeys = new Set<string>();
  let running = 0;
  let slow = 0;
  let isScheduled = false;

  const hasCapacity = () => running < maxRunning && running - slow < maxRunningFast;
  const mayStart = (partition: Partition<Request, Result>) =>
    partition.queue.length > 0 &&
    partition.running === partition.slow &&
    partition.running < maxRunningPerPartition;

  function takeBatch(partition: Partition<Request, Result>): Call<Request, Result>[] {
    const batch: Call<Request, Result>[] = [];
    partition.queue = partition.queue.filter((call) => {
      if (batch.length === maxBatchSize) return true;
      if (call.key !== undefined) {
        if (runningKeys.has(call.key)) return true;
        runningKeys.add(call.key);
      }
      batch.push(call);
      return false;
    });
    return batch;
  }

  async function settle(batch: readonly Call<Request, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ request }) => request));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason ?? new Error('run() returned no result for a request of its batch'));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function runBatch(
    partition: Partition<Request, Result>,
    batch: readonly Call<Request, Result>[],
  ): Promise<void> {
    partition.running += 1;
    running += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      partition.slow += 1;
      slow += 1;
      schedule();
    }, slowAfterMs);
    await settle(batch);
    clearTimeout(timer);
    partition.running -= 1;
    running -= 1;
    if (isSlow) {
      partition.slow -= 1;
      slow -= 1;
    }
    for (const { key } of batch) if (key !== undefined) runningKeys.delete(key);
    if (partition.running === 0 && partition.queue.length === 0) partitions.delete(partition.name);
    schedule();
  }

  function startBatches(): void {
    isScheduled = false;
    for (const partition of [...partitions.values()]) {
      if (!hasCapacity()) return;
      if (!mayStart(partition)) continue;
      const batch = takeBatch(partition);
      if (batch.length === 0) continue;
      // Moves to the end, for its next turn.
      partitions.delete(partition.name);
      partitions.set(partition.name, partition);
      void runBatch(partition, batch);
    }
  }

  function schedule(): void {
    if (isScheduled || partitions.size === 0 || !hasCapacity()) return;
    isScheduled = true;
    // Deferred, so that calls in the same turn of the event loop share a batch.
    setImmediate(startBatches);
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const name = partitionOf(request);
      const partition = partitions.get(name) ?? { name, queue: [], running: 0, slow: 0 };
      partitions.set(name, partition);
      partition.queue.push({ request, key: keyOf?.(request), resolve, reject });
      schedule();
    });
}

/** Maximum wait for a lock in milliseconds; undefined: unlimited. */
export type LockTimeout = number | undefined;

interface PoolBatchOptions<Request, Result> {
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
