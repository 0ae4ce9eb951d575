import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AreaResult, Survivor } from '../survivor.ts';
import type { CheckoutCopy } from './checkout-copy.ts';
import type { PlantedArea, PlantedFault } from './planted-fault.ts';
import { openTestRuns, type TestRuns } from './test-runs.ts';

const brokenSource =
  /syntax error|ReferenceError|SyntaxError|PARSE_ERROR|Transform failed|(column|relation|function) \S+ does not exist/i;

// Every test notices what does not run at all; a slip that counts is one that runs.
function resultOf(failure: string | undefined): 'survived' | 'broken' | 'noticed' {
  if (failure === undefined) return 'survived';
  return brokenSource.test(failure) ? 'broken' : 'noticed';
}

function lineOf(source: string, { file, find, title }: PlantedFault): number {
  const pieces = source.split(find);
  if (pieces.length === 2) return (pieces[0] ?? '').split('\n').length;
  throw new Error(
    `"${title}": its text stands ${pieces.length - 1} times in ${file}, not once: write it anew`,
  );
}

// Vitest may give a test file the source as it was before the fault, about once in thirty runs: what survives is run again
// by a vitest that has not read it.
async function runTwice(tests: TestRuns, filters: readonly string[]): Promise<string | undefined> {
  const failure = await tests.run(filters);
  if (failure !== undefined) return failure;
  await tests.restart();
  return tests.run(filters);
}

/** Plants one fault, runs the tests that should notice it, and takes it out again. */
async function plant(
  copy: CheckoutCopy,
  tests: TestRuns,
  fault: PlantedFault,
): Promise<Survivor | undefined> {
  const path = join(copy.folder, fault.file);
  const source = readFileSync(path, 'utf8');
  const place = `${fault.file}:${lineOf(source, fault)}`;
  const write = (text: string) => {
    writeFileSync(path, text);
    tests.invalidate(path);
  };
  write(source.replace(fault.find, () => fault.replace));
  const startedAt = performance.now();
  const failure = await runTwice(tests, fault.noticedBy).finally(() => write(source));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const result = resultOf(failure);
  console.error(
    `  ${result} (${seconds} s): ${fault.title}  ${failure?.split('\n')[0]?.slice(0, 160) ?? ''}`,
  );
  if (result === 'noticed') return undefined;
  return {
    place,
    change: result === 'survived' ? fault.title : `${fault.title} (does not run: write it anew)`,
  };
}

/**
 * Plants one fault after another in a copy of the checkout, and runs the tests that should notice it.
 *
 * @throws where the tests fail without a fault, or a fault does not fit the sources any more.
 */
export async function plantFaults(
  copy: CheckoutCopy,
  { area, project, faults }: PlantedArea,
): Promise<AreaResult> {
  for (const fault of faults) lineOf(readFileSync(join(copy.folder, fault.file), 'utf8'), fault);
  const tests = await openTestRuns(copy.folder, project);
  try {
    const failure = await tests.run([...new Set(faults.flatMap((one) => one.noticedBy))]);
    if (failure !== undefined)
      throw new Error(`${area}: the tests fail without any fault planted: ${failure}`);
    const survivors: Survivor[] = [];
    for (const fault of faults) {
      const survivor = await plant(copy, tests, fault);
      if (survivor !== undefined) survivors.push(survivor);
    }
    return { area, made: faults.length, survivors };
  } finally {
    await tests.close();
  }
}
