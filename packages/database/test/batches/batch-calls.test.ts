import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchCalls } from '../../src/batches/batch-calls.ts';

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

test('each call gets its own result, calls with the same key run in order and never at once, no batch is too large', async () => {
  const property = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 1, max: 5 }),
    async (calls, maxBatchSize) => {
      const busy = new Set<string>();
      const done: Call[] = [];
      const batched = batchCalls<Call, number>({
        maxBatchSize,
        keyOf: ({ key }) => key,
        async run(requests) {
          expect(requests.length).toBeLessThanOrEqual(maxBatchSize);
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
          const [result] = await Promise.allSettled([batched({ key, fails, number })]);
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

test('calls made while one is running form the next batch; a batch that rejects rejects each of its calls', async () => {
  const sizes: number[] = [];
  const batched = batchCalls<number, number>({
    maxBatchSize: 10,
    keyOf: String,
    async run(requests) {
      sizes.push(requests.length);
      await delay(5);
      if (requests.includes(3)) throw new Error('the whole batch');
      return requests.map((value) => ({ status: 'fulfilled', value }));
    },
  });
  const first = batched(1);
  await delay(1);
  const second = Promise.allSettled([batched(2), batched(3), batched(4)]);
  expect(await first).toBe(1);
  expect((await second).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(sizes).toEqual([1, 3]);
});

test('a slow batch does not hold up later calls', async () => {
  const held = Promise.withResolvers<void>();
  const batched = batchCalls<string, string>({
    maxBatchSize: 10,
    keyOf: (key) => key,
    async run(requests) {
      if (requests.includes('held')) await held.promise;
      return requests.map((value) => ({ status: 'fulfilled', value }));
    },
  });
  const slow = batched('held');
  await delay(1);
  expect(await batched('next')).toBe('next');
  held.resolve();
  expect(await slow).toBe('held');
});
