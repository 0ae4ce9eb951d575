import { describe, expect, it } from 'vitest';
import { trendsOf } from '../src/soak/flatness.ts';
import { createLedger } from '../src/soak/ledger.ts';
import { readSoakOptions } from '../src/soak/soak-options.ts';
import { soakTables } from '../src/soak/soak-report.ts';

const [first, second] = ['2026-11-22T09:00:00.001Z', '2026-11-22T09:00:00.002Z'];
const arrival = { id: 'w', pool: 'p', updatedAt: first, deleted: false, isWebhook: true, at: 12 };

describe('the ledger of a soak', () => {
  function signed() {
    const ledger = createLedger();
    ledger.begin('w');
    ledger.accept('w', first, 10);
    ledger.accept('w', second, 20);
    ledger.finish('w', false);
    return ledger;
  }

  it('misses a record until the latest version has arrived at both', () => {
    const ledger = signed();
    ledger.arrive({ ...arrival, updatedAt: second });
    ledger.arrive({ ...arrival, isWebhook: false });
    expect(ledger.missing()).toEqual(['w']);
    ledger.arrive({ ...arrival, updatedAt: second, isWebhook: false });
    expect(ledger.missing()).toEqual([]);
  });

  it('misses an erased record until both were told', () => {
    const ledger = signed();
    ledger.finish('w', true);
    for (const isWebhook of [true, false]) ledger.arrive({ ...arrival, updatedAt: second, isWebhook });
    expect(ledger.missing()).toEqual(['w']);
    for (const isWebhook of [true, false])
      ledger.arrive({ ...arrival, updatedAt: '2026-11-22T09:00:00.003Z', deleted: true, isWebhook });
    expect(ledger.missing()).toEqual([]);
  });

  it('reports messages out of order and duplicates', () => {
    const ledger = signed();
    ledger.arrive({ ...arrival, updatedAt: second });
    ledger.arrive(arrival);
    ledger.arrive({ ...arrival, isWebhook: false });
    ledger.arrive({ ...arrival, isWebhook: false });
    expect(ledger.outOfOrder).toEqual(['w']);
    expect(ledger.repeated).toBe(1);
  });

  it('measures from the answer to the arrival', () => {
    expect(signed().arrive(arrival)).toBe(2);
    expect(signed().arrive({ ...arrival, updatedAt: '2026-11-22T09:00:00.003Z' })).toBeUndefined();
  });

  it('still misses what never arrived when it forgets the rest', () => {
    const ledger = signed();
    ledger.begin('lost');
    ledger.accept('lost', first, 10);
    ledger.finish('lost', false);
    for (const isWebhook of [true, false]) ledger.arrive({ ...arrival, updatedAt: second, isWebhook });
    for (let look = 0; look < 10; look += 1) ledger.forgetSettled();
    expect(ledger.missing()).toEqual(['lost']);
    expect(ledger.arrive(arrival)).toBeUndefined();
  });
});

describe('whether figures are flat', () => {
  const samples = (name: string, values: readonly number[]) =>
    values.map((value, index) => ({ atMs: (index + 1) * 1000, figures: { [name]: value } }));
  const isFlat = (name: string, values: readonly number[]) => trendsOf(samples(name, values))[0]?.isFlat;

  it('compares the last third with the second, whatever the first was', () => {
    expect(isFlat('a RSS MiB', [900, 900, 100, 100, 114, 114])).toBe(true);
    expect(isFlat('a RSS MiB', [1, 1, 100, 100, 117, 117])).toBe(false);
  });

  it('compares what is left of a heap after it was collected', () => {
    expect(isFlat('a heap MiB', [1, 1, 1, 100, 40, 150, 90, 42, 180])).toBe(true);
    expect(isFlat('a heap MiB', [1, 1, 1, 100, 40, 150, 90, 62, 180])).toBe(false);
  });

  it('passes over differences that are too small for a ratio', () => {
    expect(isFlat('waiver MiB', [1, 1, 1, 1, 4, 4])).toBe(true);
    expect(isFlat('accept p99 ms', [1, 1, 1, 1, 2.9, 2.9])).toBe(true);
  });

  it('shows what grows', () => {
    expect(soakTables(samples('b RSS MiB', [1, 1, 100, 100, 200, 200]), 2000)).toMatch(/b RSS MiB .*GROWS/);
  });
});

describe('the command line of a soak', () => {
  it('is an hour at a measured rate by default', () => {
    expect(readSoakOptions([])).toEqual({ minutes: 60, rate: undefined, json: undefined });
  });

  it.each([
    ['--minutes', '2'],
    ['--minutes', '1.5'],
    ['--rate', '2'],
    ['--rates', '5'],
  ])('does not take %s %s', (...args) => {
    expect(() => readSoakOptions(args)).toThrow(/usage: npm run soak/);
  });
});
