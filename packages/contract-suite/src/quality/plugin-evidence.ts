import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestModule } from 'vitest/node';
import type { ClauseMeta, RanScenario } from '../evidence.ts';

/** A piece of source code that no test ran. */
interface UnrunCode {
  /** Offsets in the code that Vite generated from the source, which is the same for every test file. */
  readonly start: number;
  readonly end: number;
  /** The code itself, truncated if it is long. */
  readonly text: string;
}

/** V8's execution counts of a script's functions and their blocks, outer ranges before inner ones. */
interface RunCounts {
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

/** A source file, and the parts of it that did not run. */
export interface LoadedSource {
  readonly codeLength: number;
  readonly unrun: readonly UnrunCode[];
}

/** The code that the tests of one file ran. */
export interface FileEvidence {
  /** The absolute paths of the files read from a folder `fixtures`. */
  readonly fixtures: readonly string[];
  /** Whether a simulated server answered over HTTP. */
  readonly isSimulatorAsked: boolean;
  /** The plugin sources that were loaded, by absolute path. */
  readonly sources: Readonly<Record<string, LoadedSource>>;
}

declare module 'vitest' {
  interface TaskMeta {
    fileEvidence?: FileEvidence;
  }
}

/** The code, clauses and scenarios that the tests of one plugin ran. */
export interface PluginEvidence {
  /** The clauses of the contract suite that passed. */
  readonly clauses: ReadonlySet<string>;
  /** The scenarios that they covered. */
  readonly scenarios: readonly RanScenario[];
  /** The number of passed trap tests. */
  readonly trapTests: number;
  /** The pieces of its source code that no test ran, each with its file. */
  readonly unrun: readonly string[];
  /** Their share of the code. */
  readonly unrunShare: number;
  /** The fixtures that were read, relative to the plugin's folder. */
  readonly fixtures: ReadonlySet<string>;
  readonly isSimulatorAsked: boolean;
}

/** The folder of the plugin that a file belongs to: the nearest one above it with a `quality.json`. */
export function pluginFolderOf(file: string): string | undefined {
  const folder = dirname(file);
  if (folder === file) return undefined;
  return existsSync(join(folder, 'quality.json')) ? folder : pluginFolderOf(folder);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const passedTests = (module: TestModule) => [...module.children.allTests('passed')];

/** Combines what the tests of one plugin left in their `meta`. */
export function evidenceOf(folder: string, modules: readonly TestModule[]): PluginEvidence {
  const inFolder = (path: string) => path.slice(folder.length + 1);
  const files = modules
    .map((module): FileEvidence | undefined => module.meta().fileEvidence)
    .filter((evidence) => evidence !== undefined);
  const clauses = modules
    .flatMap(passedTests)
    .map((test): ClauseMeta | undefined => test.meta().contractClause)
    .filter((clause) => clause !== undefined);
  const sources = new Map<string, LoadedSource>();
  for (const [path, source] of files.flatMap((file) => Object.entries(file.sources))) {
    const former = sources.get(path);
    const unrun = former === undefined ? source.unrun : unrunByBoth(former.unrun, source.unrun);
    sources.set(path, { ...source, unrun });
  }
  const code = sum([...sources.values()].map(({ codeLength }) => codeLength));
  const unrunCode = [...sources].flatMap(([path, { unrun }]) =>
    unrun.map((piece) => ({ ...piece, path: inFolder(path) })),
  );
  const traps = modules.filter(({ moduleId }) => inFolder(moduleId) === 'test/traps.test.ts');
  return {
    clauses: new Set(clauses.map(({ clause }) => clause)),
    scenarios: clauses.flatMap(({ scenarios }) => scenarios),
    trapTests: traps.flatMap(passedTests).length,
    unrun: unrunCode.map(({ text, path }) => `\`${text}\` of ${path}`),
    unrunShare: code === 0 ? 0 : sum(unrunCode.map(({ start, end }) => end - start)) / code,
    fixtures: new Set(files.flatMap((file) => file.fixtures.map(inFolder))),
    isSimulatorAsked: files.some((file) => file.isSimulatorAsked),
  };
}
