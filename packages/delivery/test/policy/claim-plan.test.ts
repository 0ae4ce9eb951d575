import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planClaims, retrySlots } from '../../src/policy/claim-plan.ts';
import { healthOf } from '../../src/policy/destination-health.ts';

const work = fc.uniqueArray(
  fc.record({
    destination: fc.string({ minLength: 1, maxLength: 3 }),
    fresh: fc.boolean(),
    retrying: fc.boolean(),
    failing: fc.boolean(),
    limited: fc.constant(false),
  }),
  { selector: ({ destination }) => destination, maxLength: 20 },
);

test('every destination with work is asked for, none for more than it may have, first tries before all else', () => {
  fc.assert(
    fc.property(
      work,
      fc.integer({ min: 1, max: 8 }),
      fc.nat(9),
      (found, destinationConcurrency, inFlight) => {
        const busy = new Map(
          found
            .slice(0, 5)
            .map(({ destination }) => [destination, Math.min(inFlight, destinationConcurrency)]),
        );
        const plans = planClaims(found, { busy, destinationConcurrency }, Math.random);
        for (const { shares } of plans) {
          for (const { destination, slots } of shares) {
            expect(slots).toBe(destinationConcurrency - (busy.get(destination) ?? 0));
            expect(slots).toBeGreaterThan(0);
          }
        }
        const asked = (retrying: boolean) =>
          plans
            .filter((plan) => plan.retrying === retrying)
            .flatMap(({ shares }) => shares.map(({ destination }) => destination));
        const free = ({ destination }: { destination: string }) =>
          (busy.get(destination) ?? 0) < destinationConcurrency;
        expect(asked(false).sort()).toEqual(
          found
            .filter((each) => each.fresh && free(each))
            .map(({ destination }) => destination)
            .sort(),
        );
        expect(asked(true).sort()).toEqual(
          found
            .filter((each) => each.retrying && free(each))
            .map(({ destination }) => destination)
            .sort(),
        );
        const firstRetry = plans.findIndex(({ isRetry }) => isRetry);
        expect(plans.slice(firstRetry < 0 ? plans.length : firstRetry).every(({ isRetry }) => isRetry)).toBe(
          true,
        );
      },
    ),
  );
});

test('some slots are always kept from retries', () => {
  expect(retrySlots(64)).toBe(48);
  expect(retrySlots(1)).toBe(1);
});

test('failures are counted from the last success on, and faults of ours are not', () => {
  const sign = (outcome: 'accepted' | 'refused' | 'own-fault', status?: number) => ({
    destination: 'd',
    result: { outcome, ...(status === undefined ? {} : { status }) },
  });
  expect(
    healthOf([sign('refused', 500), sign('accepted'), sign('own-fault'), sign('refused', 503)]),
  ).toMatchObject([{ destination: 'd', succeeded: true, failures: 1, lastStatus: 503, gone: false }]);
  expect(healthOf([sign('own-fault')])).toEqual([]);
});
