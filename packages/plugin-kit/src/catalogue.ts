interface Kept<Value> {
  readonly value: Value;
  readonly readAt: number;
}

/** Rarely changing values of installations, such as products, in the memory of this process. */
export interface Catalogue<Value> {
  /**
   * Returns the value kept under a key, or requests it. `undefined` is not kept.
   * @param hasAll - whether a kept value has everything that is needed. If not, it is requested again, at most once every
   * `askAgainAfterMs`: what it lacks may be new. Default: it has.
   */
  read<Found extends Value | undefined>(
    context: { readonly installation: string },
    key: string,
    request: () => Promise<Found>,
    hasAll?: (value: Value) => boolean,
  ): Promise<Value | Found>;
}

/**
 * Creates a catalogue of rarely changing values, such as products, for a plugin's module. A value is kept for `maxAgeMs`, and only while its installation's address,
 * settings and account stay the same. Beyond `maxEntries` in total, the oldest entry is dropped.
 */
export function createCatalogue<Value>({
  maxAgeMs,
  maxEntries,
  askAgainAfterMs = 0,
}: {
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  readonly askAgainAfterMs?: number;
}): Catalogue<Value> {
  const entries = new Map<string, Kept<Value>>();
  return {
    async read({ installation }, key, request, hasAll = () => true) {
      const name = JSON.stringify([installation, key]);
      const kept = entries.get(name);
      if (kept !== undefined) {
        const ageMs = performance.now() - kept.readAt;
        if (ageMs < maxAgeMs && (ageMs < askAgainAfterMs || hasAll(kept.value))) return kept.value;
      }
      const value = await request();
      if (value === undefined) return value;
      entries.delete(name);
      entries.set(name, { value, readAt: performance.now() });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      return value;
    },
  };
}
