import { test } from 'vitest';

/** Whether the fault tests run in their long form. */
export const isLong = process.env.WAIVER_SERVICE_FAULTS === 'long';

/** A test of the long form only: it takes long, and seldom fails. */
export const longTest: ReturnType<typeof test.runIf> = test.runIf(isLong);

/** A figure of the fault tests: of the short form that runs with all tests, or of the long one. */
export function inForm(figures: { readonly short: number; readonly long: number }): number {
  return isLong ? figures.long : figures.short;
}

/** Says what a fault test counted; shown beside its name. */
export function report(counts: Readonly<Record<string, number | string>>): void {
  const shown = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  process.stdout.write(`${shown.join(', ')}\n`);
}
