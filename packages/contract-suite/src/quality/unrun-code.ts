/** A piece of source code that no test ran. */
export interface UnrunCode {
  /** Offsets in the code that Vite generated from the source, which is the same for every test file. */
  readonly start: number;
  readonly end: number;
  /** The code itself, truncated if it is long. */
  readonly text: string;
}

/** V8's execution counts of a script's functions and their blocks, outer ranges before inner ones. */
export interface RunCounts {
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

// Vite writes a getter for each export of a module.
const exportGetter = /__vite_ssr_exportName__\(.*? catch \{\} \}\);/g;
// V8 counts the code after a `return` as a separate block, even if it is empty.
const nothing = /^[\s{}()[\];,]*$/;
const maxTextLength = 80;

/** A piece of code as in its source, on one line: Vite prefixes imported names with their module. */
function readable(code: string): string {
  const text = code
    .replace(/\(0,__vite_ssr_import_\d+__\.(\w+)\)/g, '$1')
    .replace(/__vite_ssr_import_\d+__\./g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** The pieces of a script that never ran: uncalled functions, untaken branches. */
export function unrunCode(code: string, { functions }: RunCounts): UnrunCode[] {
  const isRun = new Uint8Array(code.length).fill(1);
  const ranges = functions
    .flatMap((one) => one.ranges)
    .toSorted((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  for (const { startOffset, endOffset, count } of ranges) {
    isRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  for (const { index, 0: getter } of code.matchAll(exportGetter)) {
    isRun.fill(1, index, index + getter.length);
  }
  const found: UnrunCode[] = [];
  for (let start = isRun.indexOf(0); start !== -1; ) {
    const next = isRun.indexOf(1, start);
    const end = next === -1 ? code.length : next;
    const piece = code.slice(start, end);
    if (!nothing.test(piece)) found.push({ start, end, text: readable(piece) });
    start = next === -1 ? -1 : isRun.indexOf(0, next);
  }
  return found;
}

/** The code that ran in neither of two test files. */
export function unrunByBoth(one: readonly UnrunCode[], other: readonly UnrunCode[]): UnrunCode[] {
  return one.flatMap((piece) =>
    other
      .filter(({ start, end }) => start < piece.end && piece.start < end)
      .map((overlapping) => {
        const later = overlapping.start > piece.start ? overlapping : piece;
        return { start: later.start, end: Math.min(piece.end, overlapping.end), text: later.text };
      }),
  );
}
