interface Kept<Value> {
  readonly value: Value;
  readonly until: number;
}

/** Values of installations that rarely change, such as products. In memory, and of this process only. */
export interface InstallationCache<Value> {
  /** Undefined if nothing is kept, or nothing any more. */
  get(context: { readonly installation: string }, key: string): Value | undefined;
  set(context: { readonly installation: string }, key: string, value: Value): void;
}

/**
 * Creates a cache for a plugin's module. A value is kept for `maxAgeMs`, and no longer than its installation has the same
 * address, settings and account. Beyond `maxEntries` of all installations, the oldest one is dropped.
 */
export function createInstallationCache<Value>({
  maxAgeMs,
  maxEntries,
}: {
  readonly maxAgeMs: number;
  readonly maxEntries: number;
}): InstallationCache<Value> {
  const cache = new Map<string, Kept<Value>>();
  const nameOf = (installation: string, key: string) => JSON.stringify([installation, key]);
  return {
    get({ installation }, key) {
      const kept = cache.get(nameOf(installation, key));
      return kept !== undefined && performance.now() < kept.until ? kept.value : undefined;
    },
    set({ installation }, key, value) {
      const name = nameOf(installation, key);
      cache.delete(name);
      cache.set(name, { value, until: performance.now() + maxAgeMs });
      const [oldest] = cache.keys();
      if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
    },
  };
}
