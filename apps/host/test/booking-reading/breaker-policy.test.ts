import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  admit,
  afterFailure,
  type BreakerState,
  closed,
  failuresWithinMs,
  holdMs,
  maxFailuresInARow,
} from '../../src/booking-reading/read-breaker.ts';

const failAt = (times: readonly number[]): BreakerState => times.reduce(afterFailure, closed);

test('five failures in a row within a minute hold reads back for 15 seconds', () => {
  expect(admit(failAt([0, 1, 2, 3]), 4).waitMs).toBe(0);
  const held = failAt([0, 1, 2, 3, 60_000]);
  expect(admit(held, 60_001).waitMs).toBe(14_999);
  expect(admit(held, 74_999).waitMs).toBe(1);
  expect(admit(failAt([0, 1, 2, 3, 60_001]), 60_002).waitMs).toBe(0);
});

test('then one call probes, and the others are held back until it has ended', () => {
  const probing = admit(failAt([0, 1, 2, 3, 4]), 15_004);
  expect(probing.waitMs).toBe(0);
  expect(admit(probing.state, 15_005).waitMs).toBeGreaterThan(0);
  const again = afterFailure(probing.state, 25_004);
  expect(admit(again, 40_003).waitMs).toBe(1);
  expect(admit(again, 40_004).waitMs).toBe(0);
});

test('reads that began before a hold do not prolong it', () => {
  const held = failAt([0, 1, 2, 3, 4]);
  expect(afterFailure(held, 9_000)).toEqual(held);
});

const event = fc.record({
  afterMs: fc.integer({ min: 0, max: 20_000 }),
  fails: fc.boolean(),
});

test('with any sequence of results, reads are held back only after enough failures in a row, with one probe per hold', () => {
  const property = fc.property(fc.array(event, { maxLength: 60 }), (events) => {
    let state = closed;
    let now = 0;
    let inARow: number[] = [];
    let heldSince: number | undefined;
    for (const { afterMs, fails } of events) {
      now += afterMs;
      const admission = admit(state, now);
      state = admission.state;
      if (admission.waitMs > 0) {
        const last = inARow.slice(-maxFailuresInARow);
        expect(last).toHaveLength(maxFailuresInARow);
        expect(admission.waitMs).toBeLessThanOrEqual(holdMs);
        continue;
      }
      if (heldSince !== undefined) expect(now - heldSince).toBeGreaterThanOrEqual(holdMs);
      if (!fails) {
        [state, inARow, heldSince] = [closed, [], undefined];
        continue;
      }
      state = afterFailure(state, now);
      inARow = [...inARow, now];
      const first = inARow.at(-maxFailuresInARow);
      if (heldSince !== undefined || (first !== undefined && now - first <= failuresWithinMs))
        heldSince = now;
    }
  });
  fc.assert(property, { numRuns: 500 });
});
