import { median } from '../harness/statistics.ts';
import { columns, formatNumber } from '../harness/table.ts';
import { maxGrowth, type Trend, trendsOf } from './flatness.ts';
import type { Sample } from './sampler.ts';

const shown = [
  'changes /s',
  'messages /s',
  'accept p50 ms',
  'accept p99 ms',
  'delivered p50 ms',
  'delivered p99 ms',
  'read p50 ms',
  'read p99 ms',
  'a RSS MiB',
  'a heap MiB',
  'b RSS MiB',
  'b heap MiB',
  'connections',
  'waiting',
  'database MiB',
  'dead rows',
  'WAL MiB/s',
] as const;

const clock = (ms: number) => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

// Most tables are nearly empty here.
const minShownMiB = 1;
const minShownRows = 1_000;
const isShown = ({ name, last, isFlat }: Trend) =>
  !isFlat ||
  !((name.endsWith(' MiB') && last < minShownMiB) || (name.endsWith('dead rows') && last < minShownRows));

/** One sample, on one line. */
export function sampleLine({ atMs, figures }: Sample): string {
  const parts = shown.flatMap((name) => {
    const value = figures[name];
    return value === undefined ? [] : `${name} ${formatNumber(value)}`;
  });
  return `${clock(atMs)}  ${parts.join(', ')}`;
}

/** The medians of the samples in each period of `lineMs`. */
function lines(samples: readonly Sample[], lineMs: number): string {
  const last = samples.at(-1)?.atMs ?? 0;
  const count = Math.ceil(last / lineMs);
  const cells = Array.from({ length: count }, (_, index) => {
    const from = index * lineMs;
    const of = samples.filter(({ atMs }) => atMs > from && atMs <= from + lineMs);
    return [
      clock(from),
      ...shown.map((name) => {
        const values = of.flatMap(({ figures }) => figures[name] ?? []);
        return values.length === 0 ? '' : formatNumber(median(values));
      }),
    ];
  });
  return columns([['from', ...shown], ...cells]);
}

function courses(samples: readonly Sample[]): string {
  const cells = trendsOf(samples)
    .filter(isShown)
    .map(({ name, second, last, isFlat }) => [
      name,
      formatNumber(second),
      formatNumber(last),
      formatNumber(last / second),
      isFlat ? 'flat' : 'GROWS',
    ]);
  return columns([['figure', 'second third', 'last third', 'ratio', ''], ...cells]);
}

/** The tables of a run: medians by time, and whether each figure is flat. */
export function soakTables(samples: readonly Sample[], lineMs: number): string {
  return `${lines(samples, lineMs)}\n\nmedians of the last third against the second, which it may exceed ${maxGrowth} times;\nsizes below 1 MiB that do not grow are left out:\n${courses(samples)}`;
}
