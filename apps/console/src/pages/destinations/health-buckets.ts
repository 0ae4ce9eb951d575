import type { DestinationHealth } from '../../api/resources.ts';

/** A destination's attempts in equal intervals without gaps. */
export interface HealthBuckets {
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Fills in the intervals without attempts, up to now; `undefined` until loaded. */
export function bucketsOf(
  { since, bucketMs, items }: DestinationHealth,
  destination: string,
  now: number = Date.now(),
): HealthBuckets | undefined {
  const own = items.find((item) => item.destination === destination)?.buckets;
  if (own === undefined) return undefined;
  const start = Date.parse(since);
  const count = Math.max(1, Math.ceil((now - start) / bucketMs));
  const times = Array.from({ length: count }, (_, place) => (start + place * bucketMs) / 1_000);
  const delivered = times.map(() => 0);
  const failed = times.map(() => 0);
  for (const bucket of own) {
    const place = Math.floor((Date.parse(bucket.at) - start) / bucketMs);
    if (place < 0 || place >= count) continue;
    delivered[place] = bucket.delivered;
    failed[place] = bucket.failed;
  }
  return { times, delivered, failed };
}
