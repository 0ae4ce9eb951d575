import type { Ground, OwnedGround } from './ground.ts';
import { type Figure, median, type Spread, spreadOf } from './measuring.ts';

/** The result of one run of one side. */
export interface Measured {
  /** In the row's unit; the ratio is computed from it. */
  readonly value: number;
  /** Shown, but not part of the ratio. */
  readonly figures?: readonly Figure[];
}

/** The two sides of a row, run alternately, any number of times. */
export interface Contest {
  /** The code that users run. */
  readonly subject: () => Promise<Measured>;
  /** The baseline. */
  readonly base: () => Promise<Measured>;
}

/** One comparison, with a ratio as its result. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  readonly subject: string;
  readonly base: string;
  /** Whether it takes many minutes: then it runs only if named. */
  readonly isLong?: boolean;
  /** The unit of both sides' values. A ratio above 1 is good for a rate, one below 1 for a time. */
  readonly unit: '/s' | 'ms' | 'µs';
  /**
   * Sets up both sides; each is then run once to warm up. Cleanup is registered with `ground.defer`.
   */
  readonly prepare: (ground: Ground) => Promise<Contest>;
}

export interface RowResult {
  readonly row: Row;
  readonly seconds: number;
  readonly outcome: RowOutcome;
}

/** A ratio, or why there is none. */
export type RowOutcome =
  | {
      readonly kind: 'measured';
      readonly ratio: Spread;
      /** Medians over the pairs. */
      readonly subject: number;
      readonly base: number;
      readonly subjectFigures: readonly Figure[];
      readonly baseFigures: readonly Figure[];
    }
  | { readonly kind: 'failed'; readonly why: string };

/** For each figure, the median over the runs that reported it. */
function medianFigures(runs: readonly Measured[]): Figure[] {
  const figures = runs.flatMap((run) => run.figures ?? []);
  return figures
    .filter(({ name }, index) => figures.findIndex((one) => one.name === name) === index)
    .map((figure) => ({
      ...figure,
      value: median(figures.filter(({ name }) => name === figure.name).map(({ value }) => value)),
    }));
}

async function measure(row: Row, ground: OwnedGround, pairs: number): Promise<RowOutcome> {
  const contest = await row.prepare(ground);
  const subjects: Measured[] = [];
  const bases: Measured[] = [];
  await contest.subject();
  await contest.base();
  // Alternate, so that other load on the machine affects both sides alike.
  for (let pair = 0; pair < pairs; pair += 1) {
    ground.signal.throwIfAborted();
    subjects.push(await contest.subject());
    ground.signal.throwIfAborted();
    bases.push(await contest.base());
  }
  return {
    kind: 'measured',
    ratio: spreadOf(subjects.map(({ value }, index) => value / (bases[index]?.value ?? Number.NaN))),
    subject: median(subjects.map(({ value }) => value)),
    base: median(bases.map(({ value }) => value)),
    subjectFigures: medianFigures(subjects),
    baseFigures: medianFigures(bases),
  };
}

function failureOf(error: unknown): RowOutcome {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed', why };
}

/** Runs one row. A failure is reported in the outcome; rejects only if the run is interrupted. */
export async function runRow(row: Row, ground: OwnedGround, pairs: number): Promise<RowResult> {
  const startedAt = performance.now();
  const outcome = await measure(row, ground, pairs).catch(failureOf);
  const cleared = await ground.clear().then(() => undefined, failureOf);
  ground.signal.throwIfAborted();
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { row, seconds, outcome: cleared ?? outcome };
}

/**
 * Runs rows one after the other, whether or not earlier ones failed. Rejects only if interrupted.
 *
 * @param onRow - called before each row, and after it with the result
 */
export async function runBench(
  rows: readonly Row[],
  {
    pairs,
    ground,
    onRow,
  }: { pairs: number; ground: OwnedGround; onRow: (row: Row, result?: RowResult) => void },
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const row of rows) {
    ground.signal.throwIfAborted();
    onRow(row);
    const result = await runRow(row, ground, pairs);
    onRow(row, result);
    results.push(result);
  }
  return results;
}

/** Whether every row was measured. */
export const allWell = (results: readonly RowResult[]): boolean =>
  results.every(({ outcome }) => outcome.kind === 'measured');

/** A number with three significant digits. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

const withUnit = (value: number, unit: string) =>
  `${formatNumber(value)}${unit.startsWith('/') || unit === '' ? unit : ` ${unit}`}`;

function figuresOf(figures: readonly Figure[]): string {
  return figures.map(({ name, value, unit }) => `${name} ${withUnit(value, unit)}`).join(', ');
}

function beside(subject: readonly Figure[], base: readonly Figure[]): string {
  const sides = [figuresOf(subject), base.length === 0 ? '' : `base: ${figuresOf(base)}`];
  return sides.filter((side) => side !== '').join('; ');
}

const header = ['row', 'ratio', 'min–max', 'subject', 'base', 'beside'];

function cellsOf({ row, outcome }: RowResult): string[] {
  const { name, unit } = row;
  if (outcome.kind !== 'measured') {
    const why = outcome.why.split('\n')[0] ?? '';
    return [name, 'FAILED', '', '', '', why];
  }
  const { ratio } = outcome;
  return [
    name,
    formatNumber(ratio.median),
    `${formatNumber(ratio.min)}–${formatNumber(ratio.max)}`,
    `${row.subject}: ${withUnit(outcome.subject, unit)}`,
    `${row.base}: ${withUnit(outcome.base, unit)}`,
    beside(outcome.subjectFigures, outcome.baseFigures),
  ];
}

/** The results as a table, a line for each row: each column is as wide as its widest cell. */
export function tableOf(results: readonly RowResult[]): string {
  const lines = [header, ...results.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((cells) => lineOf(cells).join('  ').trimEnd()).join('\n');
}
