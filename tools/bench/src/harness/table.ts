import type { RowResult } from './run-row.ts';
import type { Figure } from './statistics.ts';

/** A number with three significant digits. */
export function formatNumber(value: number): string {
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
