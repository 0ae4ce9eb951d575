import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGround, type Ground } from '../src/harness/ground.ts';
import { median, percentile, runInFlight } from '../src/harness/measuring.ts';
import { readOptions, UsageError } from '../src/harness/options.ts';
import { watchProcessors } from '../src/harness/processor-times.ts';
import { allWell, type Contest, type Row, runBench, tableOf } from '../src/harness/row.ts';

const rowOf = (name: string, prepare: (ground: Ground) => Promise<Contest>): Row => ({
  name,
  subject: 'ours',
  base: 'theirs',
  unit: '/s',
  prepare,
});
const { signal } = new AbortController();

function inTurn(values: readonly number[], log: string[], name: string) {
  let next = 0;
  return async () => {
    log.push(name);
    const value = values[next] ?? Number.NaN;
    next += 1;
    return { value, figures: [{ name: 'p50', value: value * 2, unit: 'ms' as const }] };
  };
}

const run = (rows: readonly Row[], pairs = 3) =>
  runBench(rows, { pairs, ground: createGround({ signal, scale: 1 }), onRow: () => {} });

describe('a row', () => {
  it('is warmed up, run in turn, and its ratio is the median of the pairs’ ratios', async () => {
    const log: string[] = [];
    const [result] = await run([
      rowOf('one', async () => ({
        subject: inTurn([1, 10, 40, 30], log, 'A'),
        base: inTurn([9, 10, 10, 20], log, 'B'),
      })),
    ]);
    expect(log.join('')).toBe('ABABABAB');
    expect(result?.outcome).toEqual({
      kind: 'measured',
      ratio: { median: 1.5, min: 1, max: 4 },
      subject: 30,
      base: 10,
      subjectFigures: [{ name: 'p50', value: 60, unit: 'ms' }],
      baseFigures: [{ name: 'p50', value: 20, unit: 'ms' }],
    });
  });

  it('that fails leaves the others alone, is shown, and makes the run a failure', async () => {
    const good = rowOf('good', async () => ({
      subject: async () => ({ value: 2 }),
      base: async () => ({ value: 4 }),
    }));
    const bad = rowOf('bad', async () => ({
      subject: async () => {
        throw new Error('the disk is full');
      },
      base: async () => ({ value: 1 }),
    }));
    const results = await run([bad, good]);
    expect(allWell(results)).toBe(false);
    const [, badLine, goodLine] = tableOf(results).split('\n');
    expect(badLine).toMatch(/^bad +FAILED +.*the disk is full/);
    expect(goodLine).toMatch(/^good +0\.5 +0\.5–0\.5 +ours: 2\/s +theirs: 4\/s$/);
  });

  it('has what it started stopped, the last first, also when it fails', async () => {
    const log: string[] = [];
    await run([
      rowOf('one', async (ground) => {
        ground.defer(() => log.push('first'));
        ground.defer(() => log.push('second'));
        throw new Error('it did not start');
      }),
    ]);
    expect(log).toEqual(['second', 'first']);
  });

  it('that cannot be stopped is a failure', async () => {
    const [result] = await run([
      rowOf('one', async (ground) => {
        ground.defer(() => Promise.reject(new Error('it does not end')));
        return { subject: async () => ({ value: 1 }), base: async () => ({ value: 1 }) };
      }),
    ]);
    expect(result?.outcome.kind).toBe('failed');
  });
});

it('a run that is given up begins no further row', async () => {
  const givenUp = new AbortController();
  const begun: string[] = [];
  const row = (name: string): Row =>
    rowOf(name, async () => {
      begun.push(name);
      givenUp.abort(new Error('given up'));
      return { subject: async () => ({ value: 1 }), base: async () => ({ value: 1 }) };
    });
  const ground = createGround({ signal: givenUp.signal, scale: 1 });
  await expect(runBench([row('one'), row('two')], { pairs: 1, ground, onRow: () => {} })).rejects.toThrow(
    'given up',
  );
  expect(begun).toEqual(['one']);
});

const names = ['accept', 'claim'];

describe('the command line', () => {
  it('asks for all rows and five pairs where it says nothing', () => {
    expect(readOptions([], names)).toEqual({ only: [], list: false, pairs: 5 });
  });

  it('names rows and the number of pairs', () => {
    const args = ['--only', 'accept', '--only', 'claim', '--pairs', '7'];
    expect(readOptions(args, names)).toEqual({ only: names, list: false, pairs: 7 });
  });

  it('asks for the list', () => {
    expect(readOptions(['--list'], names).list).toBe(true);
  });

  it.each([
    [['--only', 'acept'], /no row is named acept; the rows are: accept, claim/],
    [['--pairs', '0'], /--pairs takes a whole number/],
    [['--pairs', '2.5'], /--pairs takes a whole number/],
    [['--pairs', '1000'], /--pairs takes a whole number/],
    [['--fast'], /usage: npm run bench/],
    [['accept'], /usage: npm run bench/],
    [['--only'], /usage: npm run bench/],
  ])('refuses %j and says what can be', (args, message) => {
    expect(() => readOptions(args, names)).toThrow(UsageError);
    expect(() => readOptions(args, names)).toThrow(message);
  });
});

const busyMs = 100;

it.skipIf(!existsSync('/proc/self/stat'))(
  'what a process and its ended children use is told for each message',
  () => {
    const used = watchProcessors({
      own: [{ pid: process.pid }],
      family: [{ pid: process.pid, withChildren: true }],
      nobody: [],
    });
    const until = performance.now() + busyMs;
    while (performance.now() < until);
    spawnSync(process.execPath, [
      '-e',
      `const until = performance.now() + ${busyMs}; while (performance.now() < until);`,
    ]);
    const [own, family, nobody] = used(10).map(({ value }) => value);
    expect(own).toBeGreaterThan(0);
    expect(family).toBeGreaterThan(own ?? 0);
    expect(nobody).toBe(0);
  },
);

describe('in flight', () => {
  it('never has more under way than the limit, and does each task once', async () => {
    let underWay = 0;
    let most = 0;
    const done: number[] = [];
    await runInFlight(50, 8, async (index) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      done.push(index);
    });
    expect(most).toBe(8);
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it('begins nothing more after a failure, and tells it', async () => {
    let begun = 0;
    const task = async () => {
      begun += 1;
      throw new Error('refused');
    };
    await expect(runInFlight(50, 2, task)).rejects.toThrow('refused');
    expect(begun).toBe(2);
  });
});

const values = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 50 });

describe('median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])('of %j is %d', (numbers, expected) => {
    expect(median(numbers)).toBe(expected);
  });

  it('leaves the values in their order', () => {
    const numbers = [3, 1, 2];
    median(numbers);
    expect(numbers).toEqual([3, 1, 2]);
  });

  it('of nothing is refused', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('percentile', () => {
  it('of 1 to 101 is its own number', () => {
    const numbers = Array.from({ length: 101 }, (_, index) => 101 - index);
    expect([0, 1, 50, 99, 100].map((percent) => percentile(numbers, percent))).toEqual([1, 2, 51, 100, 101]);
  });

  it('lies between two values in proportion', () => {
    expect(percentile([10, 20], 75)).toBe(17.5);
  });

  it('is among the values’ range, and grows with the percentage', () => {
    const percent = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(values, percent, percent, (numbers, first, second) => {
        const low = Math.min(first, second);
        const high = Math.max(first, second);
        expect(percentile(numbers, low)).toBeLessThanOrEqual(percentile(numbers, high) + 1e-6);
        expect(percentile(numbers, low)).toBeGreaterThanOrEqual(Math.min(...numbers) - 1e-6);
        expect(percentile(numbers, high)).toBeLessThanOrEqual(Math.max(...numbers) + 1e-6);
      }),
    );
  });
});
