interface Kept<Value> {
  readonly value: Value;
  readonly until: number;
}

/** Rarely changing values of installations, such as products. In the memory of this process. */
export interface InstallationCache<Value> {
  /** Undefined if the value is missing or has expired. */
  get(context: { readonly installation: string }, key: string): Value | undefined;
  set(context: { readonly installation: string }, key: string, value: Value): void;
}

/**
 * Creates a cache for a plugin's module. A value is kept for `maxAgeMs`, and only while its installation's address,
 * settings and account stay the same. Beyond `maxEntries` in total, the oldest entry is dropped.
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
