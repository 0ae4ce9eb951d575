import { runInFlight } from '../in-flight.ts';
import type { Figure } from './statistics.ts';
import { percentile } from './statistics.ts';

/** How long tasks took. */
export interface TaskTimes {
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
