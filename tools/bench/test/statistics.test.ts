import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, percentile, spreadOf } from '../src/harness/statistics.ts';

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

it('a spread has the median and both ends', () => {
  expect(spreadOf([2, 8, 3])).toEqual({ median: 3, min: 2, max: 8 });
});
