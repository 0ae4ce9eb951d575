import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allotSlots,
  callTimeAfter,
  isSlowCall,
  maxSlowSlots,
  planClaims,
  retrySlots,
} from '../../src/policy/claim-plan.ts';

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

test('pools that take all that they may for slow calls leave a slot for the next one, and end with the same share', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 200 }), fc.integer({ min: 1, max: 20 }), (concurrency, pools) => {
      const held = Array<number>(pools).fill(0);
      const sum = () => held.reduce((total, each) => total + each, 0);
      for (let round = 0; round < 200; round += 1) {
        for (const [place, own] of held.entries()) {
          const most = maxSlowSlots({ concurrency, ofOthers: sum() - own });
          // Running sends end first; then no more may start than allowed.
          held[place] = Math.min(most, concurrency - (sum() - own));
        }
      }
      if (pools < concurrency) expect(sum()).toBeLessThan(concurrency);
      for (const own of held) if (pools < concurrency) expect(own).toBeGreaterThanOrEqual(1);
      if (pools < concurrency) expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(2);
    }),
  );
});

const wanted = fc.array(
  fc.record({
    destination: fc.uuid(),
    pool: fc.constantFrom('p1', 'p2', 'p3'),
    slots: fc.integer({ min: 1, max: 8 }),
    isSlow: fc.boolean(),
  }),
  { maxLength: 30 },
);

test('fast destinations get all they want, slow ones an even share of all the room of their pool', () => {
  fc.assert(
    fc.property(wanted, fc.integer({ min: -3, max: 60 }), (all, room) => {
      const slotsOf = new Map(
        allotSlots(all, () => room).map(({ destination, slots }) => [destination, slots]),
      );
      for (const each of all) {
        const slots = slotsOf.get(each.destination) ?? 0;
        if (each.isSlow) expect(slots).toBeLessThanOrEqual(each.slots);
        else expect(slots).toBe(each.slots);
      }
      for (const slow of Map.groupBy(
        all.filter(({ isSlow }) => isSlow),
        ({ pool }) => pool,
      ).values()) {
        const given = slow.map(({ destination }) => slotsOf.get(destination) ?? 0);
        const asked = slow.reduce((total, { slots }) => total + slots, 0);
        expect(given.reduce((total, each) => total + each, 0)).toBe(Math.max(0, Math.min(room, asked)));
        const unfilled = slow.flatMap(({ slots }, place) =>
          (given[place] ?? 0) < slots ? [given[place] ?? 0] : [],
        );
        if (unfilled.length > 0) expect(Math.max(...given) - Math.min(...unfilled)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('a pool may use half of what the others leave, and at least one slot', () => {
  const most = (concurrency: number, ofOthers: number) => maxSlowSlots({ concurrency, ofOthers });
  expect([most(64, 0), most(64, 32), most(64, 61), most(64, 63), most(64, 70), most(1, 0)]).toEqual([
    32, 16, 1, 1, 1, 1,
  ]);
});

test('each pool has its own room, and destinations without a slot are omitted', () => {
  const slow = (pool: string, destination: string, slots: number) => ({
    pool,
    destination,
    slots,
    isSlow: true,
  });
  const all = [slow('p1', 'a', 5), slow('p2', 'b', 5), slow('p1', 'c', 1), slow('p3', 'd', 2)];
  const rooms = new Map([
    ['p1', 4],
    ['p2', 2],
    ['p3', 0],
  ]);
  expect(allotSlots(all, (pool) => rooms.get(pool) ?? 0)).toEqual([
    { destination: 'a', slots: 3 },
    { destination: 'b', slots: 2 },
    { destination: 'c', slots: 1 },
  ]);
});

test('a call of a quarter of a second is quick, the newest counts for a fifth', () => {
  expect([250, 250.1].map(isSlowCall)).toEqual([false, true]);
  expect(callTimeAfter(100, 200)).toBe(120);
  expect(callTimeAfter(200, 100)).toBe(180);
  expect(callTimeAfter(undefined, 7)).toBe(7);
});

test('a destination is slow until it was called, and as long as its last calls were', () => {
  expect(isSlowCall(undefined)).toBe(true);
  expect(isSlowCall(callTimeAfter(undefined, 20))).toBe(false);
  const slowed = callTimeAfter(20, 9_000);
  expect(isSlowCall(slowed)).toBe(true);
  let mean: number | undefined = 9_000;
  for (let call = 0; call < 30; call += 1) mean = callTimeAfter(mean, 20);
  expect(isSlowCall(mean)).toBe(false);
});
