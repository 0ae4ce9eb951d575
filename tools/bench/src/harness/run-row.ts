import type { OwnedGround } from './ground.ts';
import type { Measured, Row } from './row.ts';
import type { Figure } from './statistics.ts';
import { median, type Spread, spreadOf } from './statistics.ts';

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
