import { describe, expect, it } from 'vitest';
import { createGround, type Ground } from '../src/harness/ground.ts';
import type { Contest, Row } from '../src/harness/row.ts';
import { allWell, runBench } from '../src/harness/run-row.ts';
import { tableOf } from '../src/harness/table.ts';

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
