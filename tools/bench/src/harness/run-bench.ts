import type { OwnedGround } from './ground.ts';
import type { Row } from './row.ts';
import { type RowResult, runRow } from './run-row.ts';

export interface BenchRun {
  readonly rows: readonly Row[];
  readonly pairs: number;
  readonly ground: OwnedGround;
  /** Called before each row, and after it with the result. */
  readonly onRow: (row: Row, result?: RowResult) => void;
}

/** Runs rows one after the other, whether or not earlier ones failed. Rejects only if interrupted. */
export async function runBench({ rows, pairs, ground, onRow }: BenchRun): Promise<RowResult[]> {
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

/** Whether every row was measured or deliberately skipped. */
export const allWell = (results: readonly RowResult[]): boolean =>
  results.every(({ outcome }) => outcome.kind !== 'failed');
