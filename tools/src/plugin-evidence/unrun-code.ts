/** A piece of a source that no test ran. */
export interface UnrunCode {
  /** Offsets in the code that Vite made of the source, which is the same for every test file. */
  readonly start: number;
  readonly end: number;
  /** The code itself, cut off if it is long. */
  readonly text: string;
}

/** How often V8 ran each function of a script, and each block in it, outer ranges before inner ones. */
export interface RunCounts {
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

// By these, other modules see the exports of a module; Vite writes one for each.
const exportGetter = /__vite_ssr_exportName__\(.*? catch \{\} \}\);/g;
// V8 counts what follows a `return` as a separate block, although there is nothing in it.
const nothing = /^[\s{}()[\];,]*$/;
const maxTextLength = 80;

/** A piece of code as in its source, on one line: Vite calls an imported function by the module's own name. */
function readable(code: string): string {
  const text = code
    .replace(/\(0,__vite_ssr_import_\d+__\.(\w+)\)/g, '$1')
    .replace(/__vite_ssr_import_\d+__\./g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** The pieces of a script that were not run: functions never called, branches never taken. */
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

/** The code that neither of two test files ran. */
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
