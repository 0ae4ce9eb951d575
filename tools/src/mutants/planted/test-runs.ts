import { setTimeout as delay } from 'node:timers/promises';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';

// A fault may hang a test for ever: a run that takes so long has noticed it.
const maxRunMs = 300_000;
// On a busy machine a test may be slow: that alone has noticed nothing.
const testTimeout = 60_000;

/** Runs tests of one project of a checkout, again and again, with the sources as they are by then. */
export interface TestRuns {
  /**
   * @param filters - which test files, as vitest's filters
   * @returns the message of the first failure; undefined where all tests passed
   */
  run(filters: readonly string[]): Promise<string | undefined>;
  /** To be told of a source file that was changed. */
  invalidate(file: string): void;
  /** Starts vitest anew, without anything of what it has read. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

function failureOf(module: TestModule): string | undefined {
  if (module.ok()) return undefined;
  const [failed] = module.children.allTests('failed');
  const suites = [...module.children.allSuites()];
  const errors = [
    ...(failed?.result().errors ?? []),
    ...module.errors(),
    ...suites.flatMap((suite) => suite.errors()),
  ];
  return errors[0]?.message ?? 'a test failed';
}

/** Starts vitest once: to start it anew and to read every source again takes longer than most runs. */
export async function openTestRuns(folder: string, project: string): Promise<TestRuns> {
  const open = async (): Promise<Vitest> => {
    const vitest = await createVitest(
      'test',
      {
        root: folder,
        project: [project],
        watch: false,
        bail: 1,
        testTimeout,
        // It may hold what was made of a source before a fault was planted, even for the next vitest.
        fsModuleCache: false,
        reporters: [{}],
      },
      {},
      {},
    );
    await vitest.standalone();
    return vitest;
  };
  let vitest = await open();
  async function restart(): Promise<void> {
    await vitest.close();
    vitest = await open();
  }

  async function runAll(filters: readonly string[]): Promise<string | undefined> {
    const specifications = await vitest.globTestSpecifications([...filters]);
    if (specifications.length === 0) throw new Error(`no test file of ${project} has ${filters.join(', ')}`);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    // Those of former runs are among them.
    const meant = new Set(specifications.map(({ moduleId }) => moduleId));
    const failure = testModules
      .filter(({ moduleId }) => meant.has(moduleId))
      .map(failureOf)
      .find((message) => message !== undefined);
    return failure ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : undefined);
  }

  return {
    async run(filters) {
      const timer = new AbortController();
      const late = delay(maxRunMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
      const failure = await Promise.race([runAll(filters), late]);
      timer.abort();
      if (failure !== 'late') return failure;
      await restart();
      return 'the tests did not end';
    },
    invalidate: (file) => vitest.invalidateFile(file),
    restart,
    close: () => vitest.close(),
  };
}
