import { describe, expect, it } from 'vitest';
import { runInFlight } from '../src/in-flight.ts';

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
