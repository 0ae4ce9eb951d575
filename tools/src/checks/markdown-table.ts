// Characters that take two columns.
const wide =
  /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu;
const widthOf = (cell: string) => [...cell].length + (cell.match(wide)?.length ?? 0);

/** A table padded like the formatter's, so that formatting does not change a generated page. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heads, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = heads.map((_head, column) => Math.max(3, ...cells.map((row) => widthOf(row[column] ?? ''))));
  const line = (row: readonly string[], filling: string) =>
    `| ${row.map((cell, column) => cell + filling.repeat((widths[column] ?? 0) - widthOf(cell))).join(' | ')} |`;
  const [first = [], ...others] = cells;
  const rule = line(
    heads.map(() => ''),
    '-',
  );
  return [line(first, ' '), rule, ...others.map((row) => line(row, ' '))].join('\n');
}
