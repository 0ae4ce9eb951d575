import { median } from '../harness/statistics.ts';
import type { Sample } from './sampler.ts';

/**
 * The course of a figure: the medians of the samples in the second and in the last third of the run; for a heap, which
 * grows until it is collected, the minimums.
 */
export interface Trend {
  readonly name: string;
  readonly second: number;
  readonly last: number;
  readonly isFlat: boolean;
}

/** By how much the last third may exceed the second. */
export const maxGrowth = 1.15;

/** Smaller differences do not count as growth: the figures are too small for a ratio. */
const minGrowth: readonly (readonly [unit: string, value: number])[] = [
  [' ms', 2],
  [' MiB/s', 0.5],
  [' MiB', 4],
  [' dead rows', 5_000],
  ['dead rows', 10_000],
  ['waiting', 20],
  ['connections', 2],
];

const isRate = (name: string) => name.endsWith(' /s');

function valueBetween(samples: readonly Sample[], name: string, from: number, until: number) {
  const values = samples.flatMap(({ atMs, figures }) => {
    const value = figures[name];
    return value === undefined || atMs <= from || atMs > until ? [] : value;
  });
  if (values.length === 0) return undefined;
  return name.endsWith('heap MiB') ? Math.min(...values) : median(values);
}

/** For each figure of the last sample except the load itself. */
export function trendsOf(samples: readonly Sample[]): Trend[] {
  const last = samples.at(-1);
  if (last === undefined) return [];
  const third = last.atMs / 3;
  return Object.keys(last.figures)
    .filter((name) => !isRate(name))
    .flatMap((name) => {
      const second = valueBetween(samples, name, third, 2 * third);
      const latest = valueBetween(samples, name, 2 * third, last.atMs);
      if (second === undefined || latest === undefined) return [];
      const ignored = minGrowth.find(([unit]) => name.endsWith(unit))?.[1] ?? 0;
      const isFlat = latest <= second * maxGrowth || latest - second <= ignored;
      return { name, second, last: latest, isFlat };
    });
}
