import { afterEach, expect, test, vi } from 'vitest';
import { createCatalogue } from '../src/index.ts';

const one = { installation: 'one' };
let requests = 0;
const next = async () => {
  requests += 1;
  return requests;
};

afterEach(() => {
  vi.useRealTimers();
  requests = 0;
});

test('a value is requested once for each installation and key, until it is too old', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const catalogue = createCatalogue<number>({ maxAgeMs: 1_000, maxEntries: 10 });
  const read = (installation: string, key: string) => catalogue.read({ installation }, key, next);
  expect(await read('one', 'a')).toBe(1);
  expect(await read('one', 'a')).toBe(1);
  expect(await read('two', 'a')).toBe(2);
  expect(await read('one', 'b')).toBe(3);
  vi.advanceTimersByTime(1_000);
  expect(await read('one', 'a')).toBe(4);
});

test('a value that lacks something is requested again, but not more often than allowed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const eager = createCatalogue<number>({ maxAgeMs: 10_000, maxEntries: 10 });
  const patient = createCatalogue<number>({ maxAgeMs: 10_000, maxEntries: 10, askAgainAfterMs: 1_000 });
  const isThird = (value: number) => value === 3;
  for (const expected of [1, 2, 3, 3]) expect(await eager.read(one, 'a', next, isThird)).toBe(expected);
  expect(await patient.read(one, 'a', next, () => false)).toBe(4);
  expect(await patient.read(one, 'a', next, () => false)).toBe(4);
  vi.advanceTimersByTime(1_000);
  expect(await patient.read(one, 'a', next, () => false)).toBe(5);
});

test('nothing found is not kept, nor is a failure', async () => {
  const catalogue = createCatalogue<number>({ maxAgeMs: 1_000, maxEntries: 10 });
  expect(await catalogue.read(one, 'a', async () => undefined)).toBeUndefined();
  await expect(catalogue.read(one, 'a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await catalogue.read(one, 'a', next)).toBe(1);
});

test('the oldest value is dropped once there are too many', async () => {
  const catalogue = createCatalogue<number>({ maxAgeMs: 1_000, maxEntries: 2 });
  for (const key of ['a', 'b', 'c']) await catalogue.read(one, key, next);
  expect(await catalogue.read(one, 'c', next)).toBe(3);
  expect(await catalogue.read(one, 'a', next)).toBe(4);
});
