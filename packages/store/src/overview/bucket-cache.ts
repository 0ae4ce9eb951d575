import type { OverviewBucket, OverviewRequest } from './overview.ts';

/** Reads the buckets from `since` until now. */
export type ReadBuckets = (request: OverviewRequest) => Promise<readonly OverviewBucket[]>;

// Attempts are recorded when they end, and a replica lags: buckets stay open this long.
const lateMs = 5 * 60_000;
// Attempts recorded even later, and pruned ones, show after this long at most.
const maxAgeMs = 3_600_000;
// Each has at most as many buckets as a request: about 100.
const maxEntries = 200;

interface Entry {
  /** When its oldest buckets were read. */
  readonly readAt: number;
  /** Contiguous. */
  readonly buckets: readonly OverviewBucket[];
}

/**
 * Keeps closed buckets in memory for an hour, so that a repeated read costs only the newest buckets, however many
 * attempts the older ones have.
 */
export function createBucketCache(readBuckets: ReadBuckets, now: () => number = Date.now): ReadBuckets {
  const entries = new Map<string, Entry>();

  /** Evicts the least recently used entry. */
  function put(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  }

  /** The entry's buckets from `since` on; none if they are too old or begin later. */
  function get(key: string, since: Date): Entry {
    const entry = entries.get(key);
    if (entry !== undefined && now() - entry.readAt < maxAgeMs) {
      const buckets = entry.buckets.filter(({ at }) => at >= since);
      if (buckets[0]?.at.getTime() === since.getTime()) return { readAt: entry.readAt, buckets };
    }
    return { readAt: now(), buckets: [] };
  }

  return async ({ pools, since, bucketMs }) => {
    const beganAt = now();
    // Only buckets that begin at the same times can be joined.
    const key = JSON.stringify([pools, bucketMs, since.getTime() % bucketMs]);
    const { readAt, buckets: known } = get(key, since);
    const last = known.at(-1);
    const next = last === undefined ? since : new Date(last.at.getTime() + bucketMs);
    const buckets = [...known, ...(await readBuckets({ pools, since: next, bucketMs }))];
    put(key, { readAt, buckets: buckets.filter(({ at }) => at.getTime() + bucketMs + lateMs <= beganAt) });
    return buckets;
  };
}
