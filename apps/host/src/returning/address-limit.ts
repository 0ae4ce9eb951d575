const maxAddresses = 50_000;

/** Counts requests per IP address within a time window, in this process. */
export interface AddressLimit {
  /** @returns false beyond the limit */
  take(address: string): boolean;
}

/** @param now - milliseconds of a clock */
export function createAddressLimit(
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  now: () => number = Date.now,
): AddressLimit {
  const counts = new Map<string, { readonly until: number; count: number }>();
  return {
    take(address) {
      const known = counts.get(address);
      const current =
        known !== undefined && known.until > now() ? known : { until: now() + windowMs, count: 0 };
      // Moved to the end, so that the oldest are evicted first.
      counts.delete(address);
      counts.set(address, current);
      const [oldest] = counts.keys();
      if (counts.size > maxAddresses && oldest !== undefined) counts.delete(oldest);
      current.count += 1;
      return current.count <= max;
    },
  };
}
