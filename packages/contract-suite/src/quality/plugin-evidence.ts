import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestModule } from 'vitest/node';
import type { ClauseMeta, RanScenario } from '../evidence.ts';
import { type UnrunCode, unrunByBoth } from './unrun-code.ts';

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
