const maxKeys = 50_000;

/** Counts what each key takes within a time window, in this process. */
export interface RateLimit {
  /** @returns milliseconds until `amount` more may be taken; 0 if it may be now */
  waitMs(key: string, amount: number): number;
  take(key: string, amount: number): void;
}

interface Window {
  readonly until: number;
  taken: number;
}

/**
 * A window begins with the first that a key takes.
 * @param now - milliseconds of a clock
 */
export function createRateLimit(
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  now: () => number = Date.now,
): RateLimit {
  const windows = new Map<string, Window>();
  function current(key: string): Window | undefined {
    const known = windows.get(key);
    return known !== undefined && known.until > now() ? known : undefined;
  }
  return {
    waitMs(key, amount) {
      const { until, taken } = current(key) ?? { until: now() + windowMs, taken: 0 };
      return taken + amount <= max ? 0 : until - now();
    },
    take(key, amount) {
      const window = current(key) ?? { until: now() + windowMs, taken: 0 };
      // Moved to the end, so that the oldest are evicted first.
      windows.delete(key);
      windows.set(key, window);
      const [oldest] = windows.keys();
      if (windows.size > maxKeys && oldest !== undefined) windows.delete(oldest);
      window.taken += amount;
    },
  };
}
