const repeatedWithinMs = 60_000;
const maxRemembered = 10_000;

interface Remembered {
  readonly status: number;
  readonly until: number;
}

/** Remembers for a minute how requests ended, so that equal ones need not be recorded each time. */
export interface RecentRequests {
  /** The status that an equal request had within the last minute. */
  statusOf(key: string): number | undefined;
  remember(key: string, status: number): void;
}

/** @param now - milliseconds of a clock */
export function createRecentRequests(now: () => number = () => performance.now()): RecentRequests {
  const remembered = new Map<string, Remembered>();
  return {
    statusOf(key) {
      const last = remembered.get(key);
      return last !== undefined && last.until > now() ? last.status : undefined;
    },
    remember(key, status) {
      // In insertion order: the oldest entry is evicted first.
      remembered.delete(key);
      remembered.set(key, { status, until: now() + repeatedWithinMs });
      const [oldest] = remembered.keys();
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    },
  };
}
