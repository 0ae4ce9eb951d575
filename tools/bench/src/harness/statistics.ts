/** A figure shown beside the ratio. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: '/s' | 'ms' | 'µs' | '';
}

/** The median; for an even count, the mean of the middle two. Throws a RangeError without values. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value below which `percent` of the values lie, interpolated. Throws a RangeError without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = ((sorted.length - 1) * percent) / 100;
  const lower = sorted[Math.floor(place)];
  const upper = sorted[Math.ceil(place)];
  if (lower === undefined || upper === undefined) throw new RangeError('no values to take a percentile of');
  return lower + (upper - lower) * (place - Math.floor(place));
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
