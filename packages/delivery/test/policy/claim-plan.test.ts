import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planClaims, retrySlots } from '../../src/policy/claim-plan.ts';

const work = fc.uniqueArray(
  fc.record({
    destination: fc.string({ minLength: 1, maxLength: 3 }),
    pool: fc.constantFrom('p1', 'p2'),
    fresh: fc.boolean(),
    retrying: fc.boolean(),
    failing: fc.boolean(),
    limited: fc.constant(false),
  }),
  { selector: ({ destination }) => destination, maxLength: 20 },
);

test('every destination with work is claimed from, none beyond its limit, first attempts before others', () => {
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

const nothing = { pool: 'p1', fresh: false, retrying: false, failing: false, limited: false };
const byNumbers = (numbers: number[]) => () => numbers.shift() ?? 0;

test('retries, and first attempts at failing destinations, are claimed as retries', () => {
  const found = [
    { ...nothing, destination: 'new', fresh: true },
    { ...nothing, destination: 'new at a failing one', fresh: true, failing: true },
    { ...nothing, destination: 'failed before', retrying: true },
    { ...nothing, destination: 'failed before at a failing one', retrying: true, failing: true },
    { ...nothing, destination: 'idle' },
    { ...nothing, destination: 'at its limit', fresh: true },
  ];
  const busy = new Map([
    ['new', 3],
    ['at its limit', 8],
  ]);
  const inOrder = byNumbers([1, 2, 1, 2, 1, 1, 2]);
  expect(planClaims(found, { busy, destinationConcurrency: 8 }, inOrder)).toEqual([
    { shares: [{ destination: 'new', slots: 5 }], retrying: false, isRetry: false },
    {
      shares: [
        { destination: 'failed before', slots: 8 },
        { destination: 'failed before at a failing one', slots: 8 },
      ],
      retrying: true,
      isRetry: true,
    },
    { shares: [{ destination: 'new at a failing one', slots: 8 }], retrying: false, isRetry: true },
  ]);
});

test('the order is random among destinations and between the kinds of retries', () => {
  const found = ['a', 'b', 'c'].map((destination) => ({ ...nothing, destination, fresh: true }));
  const room = { busy: new Map(), destinationConcurrency: 1 };
  const order = (numbers: number[]) =>
    planClaims(found, room, byNumbers(numbers))[0]?.shares.map(({ destination }) => destination);
  expect(order([0.5, 0.9, 0.1])).toEqual(['c', 'a', 'b']);
  expect(order([0.9, 0.1, 0.5])).toEqual(['b', 'c', 'a']);

  const failing = [{ ...nothing, destination: 'a', fresh: true, retrying: true, failing: true }];
  const kinds = (numbers: number[]) =>
    planClaims(failing, room, byNumbers(numbers)).map(({ retrying }) => retrying);
  expect(kinds([0, 0, 0.1, 0.2])).toEqual([true, false]);
  expect(kinds([0, 0, 0.2, 0.1])).toEqual([false, true]);
});

test('some slots are always kept from retries', () => {
  expect([1, 2, 3, 4, 64].map(retrySlots)).toEqual([1, 1, 2, 3, 48]);
});
