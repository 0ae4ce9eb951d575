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

/** Runs `total` tasks, `limit` at a time. Rejects with the first failure, once all started tasks end. */
export async function runInFlight(
  total: number,
  limit: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  let failure: { readonly cause: unknown } | undefined;
  async function lane() {
    while (next < total && failure === undefined) {
      const index = next;
      next += 1;
      try {
        await task(index);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, total) }, lane));
  if (failure) throw failure.cause;
}

/** How long tasks took. */
interface TaskTimes {
  /** Tasks ended per second. */
  readonly rate: number;
  /** The median of a task, in milliseconds. */
  readonly p50: number;
  readonly figures: { readonly p50: Figure; readonly p99: Figure };
}

/** Runs `count` tasks, `limit` at a time, and times each. */
export async function timedTasks(
  count: number,
  limit: number,
  task: (index: number) => Promise<unknown>,
): Promise<TaskTimes> {
  const milliseconds: number[] = [];
  const startedAt = performance.now();
  await runInFlight(count, limit, async (index) => {
    const begunAt = performance.now();
    await task(index);
    milliseconds.push(performance.now() - begunAt);
  });
  const rate = count / ((performance.now() - startedAt) / 1000);
  const p50 = percentile(milliseconds, 50);
  return {
    rate,
    p50,
    figures: {
      p50: { name: 'p50', value: p50, unit: 'ms' },
      p99: { name: 'p99', value: percentile(milliseconds, 99), unit: 'ms' },
    },
  };
}
