/** How calls are grouped. */
export interface GroupingOptions<Request, Result> {
  /** Most of one group. */
  readonly most: number;
  /** Two calls with the same key are never under way at once; left out where any two may be. */
  readonly keyOf?: (request: Request) => string;
  /** Calls of two partitions never share a group: what holds up one partition leaves the others alone. */
  readonly partitionOf?: (request: Request) => string;
  /** Does a group; one result for each, in their order. */
  readonly run: (requests: readonly Request[]) => Promise<readonly PromiseSettledResult<Result>[]>;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly key: string | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** What waits and runs of one partition; it is there as long as there is either. */
interface Partition<Request, Result> {
  readonly name: string;
  waiting: Waiting<Request, Result>[];
  running: number;
  /** Those of the running groups that take long. */
  slow: number;
}

// A group that is held up, by a lock of another session, does not hold up those behind it.
const slowAfterMs = 50;
// Each group takes a connection. One partition alone never takes them all.
const maxRunningPerPartition = 2;
const maxRunning = 8;
// Slow ones aside: more at once would be smaller groups, and each its own commit.
const maxFast = 4;

/**
 * Groups calls: one that comes alone goes at once, those that come while it is under way go together after it. So the
 * cost of a round trip and of a commit is shared by as many as there are, and nobody waits for others to come.
 *
 * A partition has one group under way, and a second one when the first is slow. Partitions take turns.
 */
export function groupCalls<Request, Result>(
  options: GroupingOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { most, keyOf, partitionOf = () => '', run } = options;
  const partitions = new Map<string, Partition<Request, Result>>();
  const busyKeys = new Set<string>();
  let running = 0;
  let slow = 0;
  let isPlanned = false;

  function take(partition: Partition<Request, Result>): Waiting<Request, Result>[] {
    const taken: Waiting<Request, Result>[] = [];
    partition.waiting = partition.waiting.filter((call) => {
      if (taken.length === most || (call.key !== undefined && busyKeys.has(call.key))) return true;
      if (call.key !== undefined) busyKeys.add(call.key);
      taken.push(call);
      return false;
    });
    return taken;
  }

  async function settle(group: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ request }) => request));
      for (const [place, { resolve, reject }] of group.entries()) {
        const result = results[place];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason ?? new Error('a call in a group has no result'));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function count(partition: Partition<Request, Result>, change: number): void {
    partition.running += change;
    running += change;
  }

  function countSlow(partition: Partition<Request, Result>, change: number): void {
    partition.slow += change;
    slow += change;
  }

  async function runGroup(
    partition: Partition<Request, Result>,
    group: readonly Waiting<Request, Result>[],
  ): Promise<void> {
    count(partition, 1);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      countSlow(partition, 1);
      plan();
    }, slowAfterMs);
    await settle(group);
    clearTimeout(timer);
    count(partition, -1);
    if (isSlow) countSlow(partition, -1);
    for (const { key } of group) if (key !== undefined) busyKeys.delete(key);
    if (partition.running === 0 && partition.waiting.length === 0) partitions.delete(partition.name);
    plan();
  }

  const hasRoom = () => running < maxRunning && running - slow < maxFast;
  const mayStart = (partition: Partition<Request, Result>) =>
    partition.waiting.length > 0 &&
    partition.running === partition.slow &&
    partition.running < maxRunningPerPartition;

  function start(): void {
    isPlanned = false;
    for (const partition of [...partitions.values()]) {
      if (!hasRoom()) return;
      if (!mayStart(partition)) continue;
      const group = take(partition);
      if (group.length === 0) continue;
      // Behind the others, for its next turn.
      partitions.delete(partition.name);
      partitions.set(partition.name, partition);
      void runGroup(partition, group);
    }
  }

  function plan(): void {
    if (isPlanned || partitions.size === 0 || !hasRoom()) return;
    isPlanned = true;
    // What comes in this turn of the event loop goes together.
    setImmediate(start);
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const name = partitionOf(request);
      const partition = partitions.get(name) ?? { name, waiting: [], running: 0, slow: 0 };
      partitions.set(name, partition);
      partition.waiting.push({ request, key: keyOf?.(request), resolve, reject });
      plan();
    });
}
