import type { OwnedGround } from './ground.ts';
import { type Figure, type Measured, type Row, RowSkipped } from './row.ts';
import { median, type Spread, spreadOf } from './statistics.ts';

/** One run of each side, one after the other. */
export interface Pair {
  readonly subject: number;
  readonly base: number;
  /** The subject's value divided by the base's. */
  readonly ratio: number;
}

export interface RowResult {
  readonly name: string;
  readonly subject: string;
  readonly base: string;
  readonly unit: string;
  readonly seconds: number;
  readonly outcome: RowOutcome;
}

/** A ratio, or why there is none. */
export type RowOutcome =
  | {
      readonly kind: 'measured';
      readonly pairs: readonly Pair[];
      readonly ratio: Spread;
      /** Medians over the pairs. */
      readonly subject: number;
      readonly base: number;
      readonly subjectFigures: readonly Figure[];
      readonly baseFigures: readonly Figure[];
    }
  | { readonly kind: 'left-out'; readonly why: string }
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
  // Alternate, so that other load on the machine affects both sides alike.
  for (let pair = 0; pair < pairs; pair += 1) {
    ground.signal.throwIfAborted();
    subjects.push(await contest.subject());
    ground.signal.throwIfAborted();
    bases.push(await contest.base());
  }
  const measured = subjects.map(({ value }, index) => {
    const base = bases[index]?.value ?? Number.NaN;
    return { subject: value, base, ratio: value / base };
  });
  return {
    kind: 'measured',
    pairs: measured,
    ratio: spreadOf(measured.map(({ ratio }) => ratio)),
    subject: median(measured.map(({ subject }) => subject)),
    base: median(measured.map(({ base }) => base)),
    subjectFigures: medianFigures(subjects),
    baseFigures: medianFigures(bases),
  };
}

function failureOf(error: unknown): RowOutcome {
  if (error instanceof RowSkipped) return { kind: 'left-out', why: error.message };
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed', why };
}

/** Runs one row. A failure is reported in the outcome; rejects only if the run is interrupted. */
export async function runRow(row: Row, ground: OwnedGround, pairs: number): Promise<RowResult> {
  const startedAt = performance.now();
  const outcome = await measure(row, ground, pairs).catch(failureOf);
  const cleared = await ground.clear().then(() => undefined, failureOf);
  ground.signal.throwIfAborted();
  const { name, subject, base, unit } = row;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { name, subject, base, unit, seconds, outcome: cleared ?? outcome };
}
