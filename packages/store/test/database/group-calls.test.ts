import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupCalls } from '../../src/database/group-calls.ts';

interface Call {
  readonly key: string;
  readonly number: number;
  readonly fails: boolean;
}

const call = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  fails: fc.boolean(),
  afterMs: fc.nat(6),
});

test('every call has its own result, those with one key go one after the other and in order, no group is too large', async () => {
  const property = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 1, max: 5 }),
    async (calls, most) => {
      const busy = new Set<string>();
      const done: Call[] = [];
      const grouped = groupCalls<Call, number>({
        most,
        keyOf: ({ key }) => key,
        async run(requests) {
          expect(requests.length).toBeLessThanOrEqual(most);
          for (const { key } of requests) {
            expect(busy.has(key)).toBe(false);
            busy.add(key);
          }
          await delay(1);
          for (const request of requests) {
            busy.delete(request.key);
            done.push(request);
          }
          return requests.map(({ fails, number }) =>
            fails ? { status: 'rejected', reason: number } : { status: 'fulfilled', value: number },
          );
        },
      });
      let asked = 0;
      const results = await Promise.allSettled(
        calls.map(async ({ key, fails, afterMs }) => {
          if (afterMs > 0) await delay(afterMs);
          asked += 1;
          const number = asked;
          const [result] = await Promise.allSettled([grouped({ key, fails, number })]);
          expect(result).toEqual(
            fails ? { status: 'rejected', reason: number } : { status: 'fulfilled', value: number },
          );
        }),
      );
      expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
      for (const ofKey of Map.groupBy(done, ({ key }) => key).values()) {
        const numbers = ofKey.map(({ number }) => number);
        expect(numbers).toEqual(numbers.toSorted((first, second) => first - second));
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

test('calls that come while one is under way go together after it; a group that fails as a whole fails for each', async () => {
  const sizes: number[] = [];
  const grouped = groupCalls<number, number>({
    most: 10,
    keyOf: String,
    async run(requests) {
      sizes.push(requests.length);
      await delay(5);
      if (requests.includes(3)) throw new Error('all of it');
      return requests.map((value) => ({ status: 'fulfilled', value }));
    },
  });
  const first = grouped(1);
  await delay(1);
  const second = Promise.allSettled([grouped(2), grouped(3), grouped(4)]);
  expect(await first).toBe(1);
  expect((await second).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(sizes).toEqual([1, 3]);
});

test('a group that is held up does not hold up what comes after it', async () => {
  const held = Promise.withResolvers<void>();
  const grouped = groupCalls<string, string>({
    most: 10,
    keyOf: (key) => key,
    async run(requests) {
      if (requests.includes('held')) await held.promise;
      return requests.map((value) => ({ status: 'fulfilled', value }));
    },
  });
  const slow = grouped('held');
  await delay(1);
  expect(await grouped('next')).toBe('next');
  held.resolve();
  expect(await slow).toBe('held');
});
